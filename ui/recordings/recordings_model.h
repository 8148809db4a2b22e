// Recordings as a table: what ran where and when, and the columns of the survey. Keeps rows, which of them
// are shown and in which order. GUI thread.
#pragma once

#include "recordings/recordings_reader.h"
#include "recordings/recordings_rows.h"

#include <QAbstractTableModel>

#include <map>

namespace olab::ui {

class RecordingsModel final : public QAbstractTableModel {
    Q_OBJECT
public:
    /// The numbers of the survey stand behind these.
    enum Column { File, Note, Origin, Date, Program, Machine, FixedCount };
    enum class Only : std::uint8_t { All, Outliers, Problems };

    explicit RecordingsModel(QObject* parent);
    void begin(std::vector<survey::Column> columns); ///< no rows
    void setFolder(std::filesystem::path folder) {
        m_folder = std::move(folder);
    } ///< names are told from here
    void append(RecordingsReader::Batch batch);
    /// Values of columns that were added, of rows that are there.
    void fill(const RecordingsReader::Batch& batch);
    void endFill();                                       ///< no more come: what is not there is nowhere
    void setColumns(std::vector<survey::Column> columns); ///< values of those that stay are kept
    void setStanding(RecordingsStandingPtr standing);
    /// Words that a row contains, in any order, whatever their case. Empty: all rows.
    void setFilter(const QString& filter);
    void setOnly(Only only);
    void sort(int column, Qt::SortOrder order = Qt::DescendingOrder) override;
    int sortColumn() const { return m_sortColumn; }
    Qt::SortOrder sortOrder() const { return m_sortOrder; }

    const RecordingsRowsPtr& all() const { return m_all; }
    const RecordingsStanding& standing() const { return *m_standing; }
    const RecordingsStandingPtr& standingPtr() const { return m_standing; }
    std::size_t numberAt(int row) const { return m_order[static_cast<std::size_t>(row)]; } ///< of all()
    const survey::Row& rowAt(int row) const { return m_all->rows[numberAt(row)]; }
    int rowOf(std::size_t number) const;            ///< -1: it is not shown
    std::vector<const survey::Row*> listed() const; ///< what is shown, in this order
    std::size_t problems() const { return m_problems; }
    const std::map<std::string, std::uint64_t>& sources() const { return m_sources; } ///< how many of each
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QString nameOfRow(std::size_t number) const; ///< from the folder
    QString
    noteOfRow(std::size_t number) const; ///< "Outlier: time 56 % more", "Not judged: ..."; may be empty
    QString wholeNoteOfRow(std::size_t number) const; ///< with the numbers of each

private:
    bool passes(std::size_t number) const;
    bool before(std::size_t a, std::size_t b) const;
    int compared(std::size_t a, std::size_t b) const;
    void arrangeAll();
    void orderAgain();
    QString text(std::size_t number, int column) const;
    QString valueCell(std::size_t number, std::size_t column) const;
    QString tip(std::size_t number, int column) const;

    RecordingsRowsPtr m_all;
    RecordingsStandingPtr m_standing;
    std::filesystem::path m_folder;
    std::vector<std::size_t> m_order;   ///< numbers of the rows that are shown
    std::vector<std::string> m_words;   ///< of the filter, small letters
    std::vector<std::size_t> m_ofPlace; ///< number of the row of a file
    Only m_only = Only::All;
    std::size_t m_problems = 0;
    std::map<std::string, std::uint64_t> m_sources;
    int m_sortColumn = FixedCount;
    Qt::SortOrder m_sortOrder = Qt::DescendingOrder;
};

QString recordingsHead(const survey::Column& column); ///< "Run time"
QString originText(const std::string& source);        ///< "simulated", "recorded", "imported"
/// Of a number, as the window writes it.
QString surveyNumber(const survey::Column& column, long double number);

} // namespace olab::ui

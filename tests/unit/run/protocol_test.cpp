#include <olab/run/protocol.h>

#include <gtest/gtest.h>
#include <limits>

namespace olab::run {
namespace {

std::string withoutNewline(std::string line) {
    EXPECT_EQ(line.find('\n'), line.size() - 1) << "exactly one newline, at the end: " << line;
    line.pop_back();
    return line;
}

TEST(Protocol, AJobComesBackAsItWas) {
    JobLine job;
    job.job = 18'000'000'000'000'000'000u;
    experiment::setOption(job.experiment, "streams=7");
    experiment::setOption(job.experiment, "h2d.memory=pageable");
    experiment::setOption(job.experiment, "kernel.blocks=fill:8");
    job.out = "/tmp/a \"b\"\n\xc3\xa4.olab";
    job.solos = false;
    job.loops = std::numeric_limits<std::int64_t>::max();
    job.limit = std::chrono::seconds(77);
    job.fault = experiment::Fault::DiskFull;
    job.probe = "calls";
    const JobLine back = jobFromLine(withoutNewline(toLine(job)));
    EXPECT_EQ(back.job, job.job);
    EXPECT_EQ(back.experiment, job.experiment);
    EXPECT_EQ(back.out, job.out);
    EXPECT_EQ(back.solos, job.solos);
    EXPECT_EQ(back.loops, job.loops);
    EXPECT_EQ(back.limit, job.limit);
    EXPECT_EQ(back.fault, job.fault);
    EXPECT_EQ(back.probe, job.probe);
    EXPECT_EQ(toLine(JobLine{}).find("\"probe\""), std::string::npos) << "only when one is wanted";
}

TEST(Protocol, AWishToPrepareCarriesTheExperimentAlone) {
    JobLine line;
    line.prepare = true;
    experiment::setOption(line.experiment, "device=3");
    const JobLine back = jobFromLine(withoutNewline(toLine(line)));
    EXPECT_TRUE(back.prepare);
    EXPECT_EQ(back.experiment, line.experiment);
    EXPECT_FALSE(jobFromLine(withoutNewline(toLine(JobLine{}))).prepare);
}

TEST(Protocol, EveryFaultHasANameThatIsReadBack) {
    for (const experiment::FaultName& row : experiment::kFaultNames) {
        JobLine job;
        job.fault = row.fault;
        EXPECT_EQ(jobFromLine(withoutNewline(toLine(job))).fault, row.fault) << row.name;
    }
    EXPECT_EQ(toLine(JobLine{}).find("\"fault\""), std::string::npos) << "only when one is wanted";
    EXPECT_EQ(experiment::faultNamed(""), experiment::Fault::None);
    EXPECT_EQ(experiment::faultNamed("han"), std::nullopt);
}

TEST(Protocol, EveryEventComesBackAsItWas) {
    for (const auto kind : {EventLine::Kind::Ready, EventLine::Kind::Started, EventLine::Kind::Progress,
                            EventLine::Kind::Finished, EventLine::Kind::Failed}) {
        EventLine event;
        event.kind = kind;
        if (kind != EventLine::Kind::Ready)
            event.job = 3;
        if (kind == EventLine::Kind::Progress) {
            event.share = 0.25;
            event.what = "copying";
        }
        if (kind == EventLine::Kind::Finished)
            event.file = "/tmp/x.olab";
        if (kind == EventLine::Kind::Failed) {
            event.errorKind = 4;
            event.code = "sticky";
            event.message = "line one\nline two";
            event.hint = "do that";
        }
        const EventLine back = eventFromLine(withoutNewline(toLine(event)));
        EXPECT_EQ(back.kind, event.kind);
        EXPECT_EQ(back.job, event.job);
        EXPECT_EQ(back.share, event.share);
        EXPECT_EQ(back.what, event.what);
        EXPECT_EQ(back.file, event.file);
        EXPECT_EQ(back.errorKind, event.errorKind);
        EXPECT_EQ(back.code, event.code);
        EXPECT_EQ(back.message, event.message);
        EXPECT_EQ(back.hint, event.hint);
    }
}

TEST(Protocol, ReadsTheLinesAsTheHeaderShowsThem) {
    EXPECT_EQ(eventFromLine(R"({"event":"ready"})").kind, EventLine::Kind::Ready);
    const EventLine failed =
        eventFromLine(R"({"event":"failed","job":1,"kind":4,"code":"c","message":"m","hint":"h"})");
    EXPECT_EQ(failed.errorKind, 4);
    EXPECT_EQ(failed.message, "m");
    EXPECT_EQ(eventFromLine(R"({"event":"progress","job":1,"share":0.5,"what":"w"})").share, 0.5);
}

TEST(Protocol, NumbersAndBytesThatJsonCannotHoldSurvive) {
    EventLine event;
    event.kind = EventLine::Kind::Progress;
    event.share = std::numeric_limits<double>::quiet_NaN();
    event.what = "bad \xff byte";
    const EventLine back = eventFromLine(withoutNewline(toLine(event)));
    EXPECT_LT(back.share, 0);
    EXPECT_NE(back.what.find("byte"), std::string::npos);
}

TEST(Protocol, LinesThatAreNoneAreRefused) {
    for (const char* line : {"", "x", "[]", "3", "{}", "{\"event\":\"dance\"}", "{\"event\":3}",
                             "{\"event\":\"started\",\"job\":\"a\"}", "{\"event\":\"ready\"",
                             "NVIDIA: something printed by a driver"}) {
        try {
            eventFromLine(line);
            ADD_FAILURE() << "accepted: " << line;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), "bad-protocol") << line;
        }
    }
    for (const char* line : {"", "{}", "{\"job\":1}", "{\"job\":1,\"experiment\":{}}",
                             "{\"job\":-1.5,\"experiment\":{},\"out\":3}"}) {
        try {
            jobFromLine(line);
            ADD_FAILURE() << "accepted: " << line;
        } catch (const Error& e) {
            EXPECT_EQ(e.code(), "bad-protocol") << line;
        }
    }
}

TEST(Protocol, NumbersThatCannotBeAreRefused) {
    for (const char* field : {R"("job":1.5)", R"("job":-1)", R"("job":1e999)", R"("job":1,"kind":1e12)",
                              R"("job":1,"kind":-1)", R"("job":1,"kind":300)"})
        EXPECT_THROW(eventFromLine("{\"event\":\"failed\"," + std::string(field) + "}"), Error) << field;
    for (const char* field :
         {R"("job":1.5)", R"("job":1,"loops":1e300)", R"("job":1,"loops":-1)", R"("job":1,"limit_s":1e18)",
          R"("job":1,"limit_s":9223372036854775807)", R"("job":1,"limit_s":-1)"})
        EXPECT_THROW(jobFromLine("{\"experiment\":{},\"out\":\"x\"," + std::string(field) + "}"), Error)
            << field;
    for (const char* share : {"1e300", "-5", "\"half\""})
        EXPECT_EQ(eventFromLine(R"({"event":"progress","job":1,"share":)" + std::string(share) + "}").share,
                  -1)
            << share;
    EXPECT_THROW(eventFromLine(std::string(100'000, '[')), Error);
}

TEST(Protocol, AnExperimentThatCannotBeIsAnErrorOfUse) {
    try {
        jobFromLine(R"({"job":1,"experiment":{"streams":0},"out":"x"})");
        ADD_FAILURE();
    } catch (const Error& e) {
        EXPECT_EQ(e.kind(), ErrorKind::Usage);
    }
}

} // namespace
} // namespace olab::run

// Maps the nodes of CUDA graphs to ops. A node is tagged when it is captured; CUPTI reports its clone when
// the graph is instantiated, and records contain the clone's id.
#pragma once

#include "records.h"
#include <olab/cupti/own_process.h>

#include <olab/trace/types.h>

#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace olab::cupti {

class GraphNodes {
public:
    /// From now on CUPTI reports clones to `subscriber`'s callback, which must call onClone(). @throws Error
    void follow(CUpti_SubscriberHandle subscriber);
    void tag(CUgraphNode node, OpId op);
    OpId opOf(std::uint64_t node) const;
    void clear();
    void onClone(const CUpti_ResourceData& resource) noexcept;

private:
    void cloned(CUgraphNode node, CUgraphNode original);
    OwnProcess m_owner;
    bool m_following = false;
    mutable std::mutex m_mutex; ///< CUPTI may call back on any thread
    std::unordered_map<std::uint64_t, OpId> m_ops;
};

} // namespace olab::cupti

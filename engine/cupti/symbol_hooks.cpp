#include "symbol_hooks.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

namespace olab::cupti {
namespace {

using Address = std::uintptr_t;

Address addressOf(const void* pointer) {
    return reinterpret_cast<Address>(pointer);
}

template <typename Type>
Type* at(Address address) {
    return reinterpret_cast<Type*>(address);
}

/// The memory protection of a part of a module after loading.
int protectionOf(const dl_phdr_info& module, Address address) {
    int protection = PROT_READ;
    for (int i = 0; i < module.dlpi_phnum; ++i) {
        const ElfW(Phdr)& part = module.dlpi_phdr[i];
        const Address begin = module.dlpi_addr + part.p_vaddr;
        if (address < begin || address >= begin + part.p_memsz)
            continue;
        if (part.p_type == PT_GNU_RELRO)
            return PROT_READ;
        if (part.p_type == PT_LOAD)
            protection = ((part.p_flags & PF_R) ? PROT_READ : 0) | ((part.p_flags & PF_W) ? PROT_WRITE : 0) |
                         ((part.p_flags & PF_X) ? PROT_EXEC : 0);
    }
    return protection;
}

/// One aligned word: other threads read the old or the new value.
bool store(const dl_phdr_info& module, Address* place, Address value) {
    const auto size = static_cast<Address>(::sysconf(_SC_PAGESIZE));
    const Address page = addressOf(place) & ~(size - 1);
    const int protection = protectionOf(module, addressOf(place));
    const bool isOpen = (protection & PROT_WRITE) != 0;
    if (!isOpen && ::mprotect(at<void>(page), size, protection | PROT_WRITE) != 0)
        return false;
    __atomic_store_n(place, value, __ATOMIC_RELEASE);
    if (!isOpen)
        ::mprotect(at<void>(page), size, protection);
    return true;
}

/// A module's data for the dynamic loader.
struct Dynamic {
    explicit Dynamic(const dl_phdr_info& module)
        : base(module.dlpi_addr) {
        for (int i = 0; i < module.dlpi_phnum; ++i)
            if (module.dlpi_phdr[i].p_type == PT_DYNAMIC)
                entries = at<const ElfW(Dyn)>(base + module.dlpi_phdr[i].p_vaddr);
        for (const ElfW(Dyn)* entry = entries; entry && entry->d_tag != DT_NULL; ++entry)
            note(*entry);
    }
    void note(const ElfW(Dyn) & entry) {
        const auto set = [&](ElfW(Sxword) tag, Address& value, bool isPlace) {
            if (entry.d_tag == tag) // the loader has made most of them absolute
                value = entry.d_un.d_ptr + (isPlace && entry.d_un.d_ptr < base ? base : 0);
        };
        set(DT_STRTAB, texts, true), set(DT_SYMTAB, symbols, true);
        set(DT_RELA, data, true), set(DT_RELASZ, dataBytes, false);
        set(DT_JMPREL, calls, true), set(DT_PLTRELSZ, callBytes, false);
    }
    /// Calls `work` with the texts of all entries of a kind.
    template <typename Work>
    void eachText(ElfW(Sxword) tag, Work work) const {
        for (const ElfW(Dyn)* entry = entries; entry && texts && entry->d_tag != DT_NULL; ++entry)
            if (entry->d_tag == tag)
                work(std::string_view(at<const char>(texts + entry->d_un.d_val)));
    }
    bool needs(std::string_view file) const {
        bool does = false;
        eachText(DT_NEEDED, [&](std::string_view name) { does |= name == file; });
        return does;
    }
    const ElfW(Dyn) * entries = nullptr;
    Address base, texts = 0, symbols = 0, data = 0, dataBytes = 0, calls = 0, callBytes = 0;
};

bool contains(const dl_phdr_info& module, Address address) {
    return std::any_of(module.dlpi_phdr, module.dlpi_phdr + module.dlpi_phnum, [&](const ElfW(Phdr) & part) {
        const Address begin = module.dlpi_addr + part.p_vaddr;
        return part.p_type == PT_LOAD && address >= begin && address < begin + part.p_memsz;
    });
}

/// Call while no module is loaded or unloaded. @returns whether `visit` returned true, which ends the walk
template <typename Work>
bool eachModule(Work work) {
    return ::dl_iterate_phdr([](dl_phdr_info* module, std::size_t,
                                void* data) { return (*static_cast<Work*>(data))(*module) ? 1 : 0; },
                             &work) != 0;
}

class Hooking {
public:
    explicit Hooking(std::span<const SymbolHook> hooks)
        : m_hooks(hooks) {
        for (const SymbolHook& hook : hooks) {
            Dl_info where{};
            void* symbol = nullptr;
            const bool known = ::dladdr1(hook.real, &where, &symbol, RTLD_DL_SYMENT) != 0 && symbol &&
                               where.dli_sname && std::strcmp(where.dli_sname, hook.name) == 0;
            m_symbols.push_back(known ? static_cast<ElfW(Sym)*>(symbol) : nullptr);
        }
    }
    bool isPossible() const {
        return std::ranges::find(m_symbols, nullptr) == m_symbols.end() && !m_symbols.empty();
    }
    /// Changes the library's exports; the first one shows whether that is possible.
    bool changeExports(const dl_phdr_info& library) {
        Dynamic(library).eachText(DT_SONAME, [this](std::string_view name) { m_name = name; });
        bool done = true;
        for (std::size_t i = 0; i < m_hooks.size() && done; ++i)
            done = store(library, &m_symbols[i]->st_value, addressOf(m_hooks[i].ours) - library.dlpi_addr);
        return done;
    }
    void changeCaller(const dl_phdr_info& module) const {
        const Dynamic caller(module);
        if (!caller.symbols || !caller.needs(m_name))
            return;
        changeBound(module, caller, caller.calls, caller.callBytes);
        changeBound(module, caller, caller.data, caller.dataBytes);
    }

private:
    /// Changes each place that holds the address of a hooked symbol by that name.
    void changeBound(const dl_phdr_info& module, const Dynamic& caller, Address table, Address bytes) const {
        const std::span entries(at<const ElfW(Rela)>(table), table ? bytes / sizeof(ElfW(Rela)) : 0);
        for (const ElfW(Rela) & entry : entries) {
            const Address number = ELF64_R_SYM(entry.r_info);
            if (number == 0)
                continue;
            const ElfW(Sym)& symbol = at<const ElfW(Sym)>(caller.symbols)[number];
            if (symbol.st_shndx != SHN_UNDEF)
                continue; // its own
            for (const SymbolHook& hook : m_hooks)
                if (std::strcmp(at<const char>(caller.texts + symbol.st_name), hook.name) == 0)
                    change(module, at<Address>(caller.base + entry.r_offset), hook);
        }
    }
    static void change(const dl_phdr_info& module, Address* place, const SymbolHook& hook) {
        if (*place == addressOf(hook.real)) // otherwise not looked up yet, or of another library
            (void)store(module, place, addressOf(hook.ours));
    }

    std::span<const SymbolHook> m_hooks;
    std::vector<ElfW(Sym)*> m_symbols;
    std::string_view m_name; ///< the name used by dependent libraries
};

} // namespace

bool hookSymbols(std::span<const SymbolHook> hooks) noexcept {
    try {
        Hooking hooking(hooks);
        if (!hooking.isPossible())
            return false;
        const Address library = addressOf(hooks.front().real), own = reinterpret_cast<Address>(&protectionOf);
        const bool changed = eachModule([&](const dl_phdr_info& module) {
            return contains(module, library) && hooking.changeExports(module);
        });
        if (changed)
            eachModule([&](const dl_phdr_info& module) {
                if (!contains(module, library) && !contains(module, own))
                    hooking.changeCaller(module);
                return false;
            });
        return changed;
    } catch (...) { // no memory
        return false;
    }
}

} // namespace olab::cupti

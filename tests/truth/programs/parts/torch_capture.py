"""How the programs in PyTorch capture CUDA graphs."""
import torch


class Graph(torch.cuda.CUDAGraph):
    """Keeps what it uses: its memory would be given to others."""
    work = None


def as_graph(work, stream=None):
    """A CUDA graph of what work() issues, captured in a stream of its own or in this one. Other threads, as those of
    loaders, may pin memory meanwhile."""
    side = stream or torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = Graph()
    with torch.cuda.graph(graph, stream=stream, capture_error_mode="thread_local"):
        work()
    graph.work = work
    return graph


def replayed(work, variant, those=("further",)):
    """work, or, in those variants, what replays a graph of it."""
    return as_graph(work).replay if variant in those else work


def fed_graph(first, ask, work):
    """A step of work(batch): one graph, and before it the batch, ask(i), is copied in the stream of the kernels."""
    still = first.to("cuda")
    graph = as_graph(lambda: work(still))

    def step(i):
        still.copy_(ask(i), non_blocking=True)
        graph.replay()
    return step


def prefetched_graphs(source, work):
    """A step of work(batch): a graph for each of the two buffers of a prefetcher."""
    torch.cuda.synchronize()
    source.buffers[1].copy_(source.buffers[0])  # the graphs are tried on good values
    graphs = [as_graph(lambda buffer=buffer: work(buffer)) for buffer in source.buffers]

    def step(i):
        source.take(i)
        graphs[i % 2].replay()
        source.give_back(i)
    return step

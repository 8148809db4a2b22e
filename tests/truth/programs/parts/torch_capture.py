"""How the programs in PyTorch capture CUDA graphs."""
import torch


class Graph(torch.cuda.CUDAGraph):
    """Keeps what it uses: its memory would be given to others."""
    work = None


def as_graph(work):
    """A CUDA graph of what work() issues."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = Graph()
    with torch.cuda.graph(graph):
        work()
    graph.work = work
    return graph


def graph_in(stream, work):
    """A graph of what work() issues, captured in a stream of its own."""
    stream.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(stream):
        for _ in range(3):
            work()
    stream.synchronize()
    graph = Graph()
    with torch.cuda.graph(graph, stream=stream):
        work()
    graph.work = work
    return graph

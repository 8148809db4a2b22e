#!/usr/bin/env python3
"""A Python program with a made-up CUDA: does what its words say, in order.

  cuda                 CUDA is initialized: it loads what CUDA_INJECTION64_PATH names
  driver               CUDA's driver is there and in use
  import               overlap_lab is imported
  calls:N              N calls, each with its work
  start[:FILE] stop finish    of overlap_lab.record
  step                 a step; all calls after it are within a range
  tool profile-begin profile-end   another client of CUPTI, as in cuda_program
  wait:MS why          sleeps; says why nothing can be recorded
"""
import ctypes
import os
import sys
import time
import warnings

CUPTI, TOOL, DRIVER = os.environ["OLAB_CUPTI"], os.environ["PROFILING_TOOL"], os.environ["FAKE_DRIVER"]


class Program:
    def __init__(self):
        self.cupti = ctypes.CDLL(CUPTI)
        self.recording = None

    def cuda(self, _):
        injected = os.environ.get("CUDA_INJECTION64_PATH")
        if injected:
            ctypes.CDLL(injected).InitializeInjection()

    def driver(self, _):
        ctypes.CDLL(DRIVER)

    def calls(self, count):
        work = (ctypes.c_uint64 * 8)(int(count))
        self.cupti.fakeProduce(work)

    def do_import(self, _):
        global overlap_lab
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            import overlap_lab
        for warning in seen:
            print("warning:", warning.message)

    def start(self, file):
        try:
            with warnings.catch_warnings(record=True) as seen:
                warnings.simplefilter("always")
                self.recording = overlap_lab.record(file or None).start()
            for warning in seen:
                print("warning:", warning.message)
            print("into", os.path.basename(self.recording.file))
        except overlap_lab.Error as error:
            print("error:", error)

    def stop(self, _):
        self.recording.stop()

    def finish(self, _):
        overlap_lab.finish()

    def step(self, _):
        overlap_lab.step()
        with overlap_lab.range("a range"):
            pass

    def why(self, _):
        print("why:", overlap_lab.why_not())

    def tool(self, _):
        self.tool_library = ctypes.CDLL(TOOL)
        self.tool_library.toolBegin.restype = ctypes.c_bool
        self.tool_library.toolEnd.restype = ctypes.c_size_t

    def profile_begin(self, _):
        if not self.tool_library.toolBegin(True):
            print("the tool could not begin")

    def profile_end(self, _):
        print("the tool saw", self.tool_library.toolEnd(), "calls")

    def wait(self, milliseconds):
        time.sleep(int(milliseconds) / 1000)


def main():
    program = Program()
    for text in sys.argv[1:]:
        word, _, value = text.partition(":")
        getattr(program, "do_import" if word == "import" else word.replace("-", "_"))(value)


main()

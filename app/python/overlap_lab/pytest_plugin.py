"""For pytest: a fixture assert_overlap. In conftest.py: pytest_plugins = ["overlap_lab.pytest_plugin"]

    def test_copies_overlap(assert_overlap):
        assert_overlap("run.olab", "overlap(h2d,kernel)>=0.8")
"""
import pytest

from ._assertion import assert_overlap as _assert_overlap


@pytest.fixture(name="assert_overlap")
def _fixture():
    return _assert_overlap

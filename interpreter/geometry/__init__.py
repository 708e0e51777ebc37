"""Places and ways: grids, boards, reach within a budget, traces and the graph that explains them. It knows no rule and no world."""

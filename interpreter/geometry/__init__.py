"""Places and routes: grids, boards, reach within a budget, traces and the graph that explains them. Nothing here knows rules or a world."""

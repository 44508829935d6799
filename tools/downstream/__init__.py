"""Run the suites of libraries that test on array_api_strict on the genuine package and on strictarray's stand-in."""

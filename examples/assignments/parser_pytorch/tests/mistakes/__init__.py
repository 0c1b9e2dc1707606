"""Known wrong answers, in one file for each question; each has its story, its hint and its tests."""

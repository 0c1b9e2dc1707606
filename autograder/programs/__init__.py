"""Programs: say as plain data what is asked of student code, take these steps anywhere, and trace them from drivers.

What runs on a student's computer, too: it needs the standard library and numpy alone.
"""

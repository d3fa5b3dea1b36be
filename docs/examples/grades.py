def grade(points):
    if points < 0 or points > 100:
        raise ValueError("points must be between 0 and 100")
    if points >= 90:
        return "A"
    if points >= 75:
        return "B"
    return "C"

# origin: 4 | {}
def best(scores):
    return max(scores.values())
by_team = {"a": {"x": 1}, "b": {}}
for team, scores in by_team.items():
    print(team, best(scores))

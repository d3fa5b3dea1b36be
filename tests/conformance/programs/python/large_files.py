# More bytes than anyone wants back, in files that are each small enough.
for number in range(8):
    with open(f"large-{number}", "wb") as file:
        file.write(bytes([number]) * 400_000)
print("WORKED")

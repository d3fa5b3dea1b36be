// expect: URIError | 2 | value
decodeURIComponent("%");

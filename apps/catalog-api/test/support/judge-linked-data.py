"""Prints, as JSON, how rdflib and pySHACL judge a document: judge-linked-data.py SHAPES DOCUMENT...

The documents are the same content in several formats, of which the first is validated. Each format is the ending of the
file: jsonld, ttl or rdf.
"""

import json
import sys

from pyshacl import validate
from rdflib import Graph
from rdflib.compare import isomorphic

shapes, *files = sys.argv[1:]
graphs = [Graph().parse(file, format={'jsonld': 'json-ld', 'ttl': 'turtle', 'rdf': 'xml'}[file.rsplit('.', 1)[1]])
          for file in files]
first = graphs[0]
conforms, _, report = validate(first, shacl_graph=Graph().parse(shapes, format='turtle'), advanced=True)
print(json.dumps({
    'statements': len(first),
    'same': [isomorphic(first, other) for other in graphs[1:]],
    'conforms': conforms,
    'report': '' if conforms else report,
}))

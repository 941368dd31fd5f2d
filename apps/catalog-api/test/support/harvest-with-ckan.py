"""Prints the datasets that the parser of ckanext-dcat reads from a catalog, as JSON.

Usage: harvest.py <file> <format of rdflib>. The parser imports CKAN, which needs a database, but calls few of its
functions. This program replaces CKAN by modules with those functions.
"""

import importlib.abc
import importlib.machinery
import json
import sys

replaced = {'ckan', 'ckantoolkit', 'pyld'}


def no_schema():
    raise KeyError('CKAN has no schema of this kind')


functions = {
    'config': {},
    'asbool': bool,
    'aslist': list,
    'munge_tag': str,
    'resource_formats': dict,
    'ObjectNotFound': KeyError,
    'HelperError': KeyError,
    'Invalid': ValueError,
    'PluginImplementations': lambda interface: (),
    'plugin_loaded': lambda name: False,
    'LicenseRegister': dict,
    'get_action': lambda name: no_schema(),
    '_': str,
}


class Replacements(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Provides the modules of CKAN. A name without a function is an empty class, which can be inherited."""

    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] not in replaced:
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def exec_module(self, module):
        module.__getattr__ = self.member

    @staticmethod
    def member(name):
        if name.startswith('__'):
            raise AttributeError(name)
        return functions.get(name) if name in functions else type(name, (), {'__getattr__': lambda *_: str})


sys.meta_path.insert(0, Replacements())

from ckanext.dcat.processors import RDFParser  # noqa: E402

parser = RDFParser(profiles=['euro_dcat_ap_3', 'euro_health_dcat_ap'])
with open(sys.argv[1], encoding='utf-8') as file:
    parser.parse(file.read(), sys.argv[2])
print(json.dumps(list(parser.datasets()), default=str))

/** What a module takes from another by name, and what it defines, read from JavaScript as the bundler has it: types are gone by then. */

/** The names that `code` imports from `source`. */
export function namesTaken(code: string, source: string): string[] {
  return [...code.matchAll(/\bimport\s*\{([^}]*)\}\s*from\s*(["'])([^"']+)\2/g)].flatMap(([, list = '', , from]) =>
    from === source
      ? list
          .split(',')
          .map((entry) => entry.trim().split(/\s+as\s+/)[0] ?? '')
          .filter((name) => name !== '')
      : [],
  )
}

/** The names that `code` exports where it defines them, or as a namespace of another module. */
export function definedNames(code: string): ReadonlySet<string> {
  return new Set(
    [...code.matchAll(/\bexport\s+(?:(?:async\s+)?(?:const|let|class|function\*?)|\*\s*as)\s+([\w$]+)/g)].map(
      ([, name = '']) => name,
    ),
  )
}

/** Reads a module's imports and definitions from bundled JavaScript, without types. */

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

/** Exported at their definition, or as another module's namespace. */
export function definedNames(code: string): ReadonlySet<string> {
  return new Set(
    [...code.matchAll(/\bexport\s+(?:(?:async\s+)?(?:const|let|class|function\*?)|\*\s*as)\s+([\w$]+)/g)].map(
      ([, name = '']) => name,
    ),
  )
}

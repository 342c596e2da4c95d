/**
 * The bundler's runtime is a separate file, one more request before the first paint. The entry gets its own copy; later
 * files share the original.
 */
import { minifySync, type Rollup } from 'vite'

const runtimeName = /^assets\/rolldown-runtime-[\w-]+\.js$/

export function inlineRuntime(bundle: Rollup.OutputBundle): void {
  const chunks = Object.values(bundle).filter((output) => output.type === 'chunk')
  const runtime = chunks.find(({ fileName }) => runtimeName.test(fileName))
  if (runtime === undefined) return
  for (const chunk of chunks) {
    if (!chunk.isEntry || !chunk.imports.includes(runtime.fileName)) continue
    chunk.code = withRuntime(chunk.code, runtime.fileName, runtime.code)
    chunk.imports = chunk.imports.filter((name) => name !== runtime.fileName)
  }
}

/**
 * Replaces the runtime import by an inline copy. Expects the bundler's form: one import, one export list at the end.
 */
export function withRuntime(code: string, fileName: string, runtime: string): string {
  const name = fileName.slice(fileName.lastIndexOf('/') + 1)
  const statement = /import\s*\{([^}]*)\}\s*from\s*["']\.\/([^"']+)["'];?/
  const exported = /export\s*\{([^}]*)\};?\s*(?:\/\/# sourceMappingURL=.*)?\s*$/
  const taken = statement.exec(code)
  const given = exported.exec(runtime)
  if (taken === null || taken[2] !== name || given === null)
    throw new Error(`The entry takes ${name} in a way that is new`)
  const ownNames = new Map(
    (given[1] ?? '').split(',').map((entry) => {
      const [own = '', as = own] = entry.trim().split(/\s+as\s+/)
      return [as, own]
    }),
  )
  const wanted = (taken[1] ?? '').split(',').map((entry) => {
    const [as = '', here = as] = entry.trim().split(/\s+as\s+/)
    return { here, own: ownNames.get(as) }
  })
  const here = wanted.map((name) => name.here)
  const own = wanted.map((name) => name.own)
  const made = `const[${here}]=(()=>{${runtime.replace(exported, '')}return[${own}]})();`
  // The entry needs only a few of these lines.
  const lean = minifySync('runtime.js', made, { module: false, mangle: { toplevel: false } })
  if (lean.errors.length > 0) throw new Error(`The entry's copy of ${name} does not parse`)
  return code.replace(statement, () => lean.code)
}

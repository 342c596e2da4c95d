import { readFileSync } from 'node:fs'
import path from 'node:path'
import ts from 'typescript'
import * as z from 'zod/mini'

const Package = z.object({
  exports: z.record(z.string(), z.union([z.string(), z.object({ types: z.string() })])),
})

/**
 * Lists names and kinds of a package's exports, one section per typed entry of its `package.json`.
 * It reads the source: `dist/<name>.d.ts` is built from `src/<name>.ts` or `src/<name>.tsx`.
 */
export function describeExports(folder: string): string {
  const { exports } = Package.parse(JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')))
  const entries = Object.entries(exports).flatMap(([name, target]) =>
    typeof target === 'string' ? [] : [{ name, file: sourceOf(folder, target.types) }],
  )
  const options = { ...compilerOptions('tsconfig.json'), noLib: true, types: [] }
  const program = ts.createProgram(
    entries.map(({ file }) => file),
    options,
    ownSource(options),
  )
  return entries.map(({ name, file }) => `${[name, ...exportsOf(program, file)].join('\n  ')}\n`).join('\n')
}

function sourceOf(folder: string, types: string): string {
  const file = path.join(folder, types.replace('/dist/', '/src/').replace(/\.d\.ts$/, ''))
  return ts.sys.fileExists(`${file}.ts`) ? `${file}.ts` : `${file}.tsx`
}

function compilerOptions(config: string): ts.CompilerOptions {
  const { config: json } = ts.readConfigFile(config, ts.sys.readFile)
  // Includes what the configuration extends.
  return ts.parseJsonConfigFileContent(json, ts.sys, process.cwd()).options
}

/** Reads installed packages, which have most files, only where they are exported again. */
function ownSource(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options, true)
  host.resolveModuleNameLiterals = (literals, containingFile, redirected) =>
    literals.map(({ text, parent }) => {
      const isRead = /^(\.|@postern\/)/.test(text) || ts.isExportDeclaration(parent)
      return isRead ? ts.resolveModuleName(text, containingFile, options, host, undefined, redirected) : notRead
    })
  return host
}

const notRead = { resolvedModule: undefined }

function exportsOf(program: ts.Program, file: string): string[] {
  const checker = program.getTypeChecker()
  const source = program.getSourceFile(file)
  const module = source && checker.getSymbolAtLocation(source)
  if (module === undefined) throw new Error(`${file} is not a module`)
  return checker
    .getExportsOfModule(module)
    .map((symbol) => `${kindOf(checker, symbol)} ${symbol.name}`)
    .sort()
}

function kindOf(checker: ts.TypeChecker, symbol: ts.Symbol): string {
  const isAlias = (symbol.flags & ts.SymbolFlags.Alias) !== 0
  const { flags } = isAlias ? checker.getAliasedSymbol(symbol) : symbol
  if (symbol.declarations?.some(ts.isTypeOnlyExportDeclaration)) return 'type'
  if (flags & ts.SymbolFlags.Class) return 'class'
  if (flags & ts.SymbolFlags.Function) return 'function'
  if (flags & ts.SymbolFlags.Variable) return 'const'
  if (flags & (ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Interface)) return 'type'
  throw new Error(`${symbol.name} is of a kind that no entry point has exported yet`)
}

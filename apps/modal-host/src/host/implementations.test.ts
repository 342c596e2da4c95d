/**
 * What a new action or a new link method touches: its contract and one implementation.
 *
 * 1. Each method of `hostMethods` has one handler. `init` begins the page (`createHost`).
 * 2. Each action of the contract has one implementation.
 * 3. No function only passes its arguments to the function of the same name elsewhere. To code that loads later it says
 *    so (`call`, `send`, `notify` of `onceLoaded`).
 */
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { hostMethods } from '@postern/protocol'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const folders = ['host', 'connections', 'embedded', 'page-link', 'requests', 'sign-in-with-wallet', 'snapshot']
const sources = folders.flatMap((folder) =>
  readdirSync(`${root}${folder}`)
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => parse(`${folder}/${name}`, readFileSync(`${root}${folder}/${name}`, 'utf8'))),
)
const contract = sources.filter(({ fileName }) => fileName === 'snapshot/actions.ts').flatMap(membersOf)
const actions = contract.map(({ name }) => name)
const methods = Object.keys(hostMethods).filter((name) => name !== 'init')
/** The composition, and the files that implement actions. */
const wiring = sources.filter(({ fileName, text }) => fileName.startsWith('host/') || text.includes('snapshot/actions'))

type Named = { readonly name: string; readonly file: string }

describe('one implementation', () => {
  it('1. of each link method', () => {
    expect(implementedMethods(sources)).toEqual([...methods].sort())
  })

  it('2. of each action', () => {
    expect(actions.length).toBeGreaterThan(30)
    expect(implementedActions(sources)).toEqual([...actions].sort())
  })

  it('3. and no forwarding by hand', () => {
    expect(wiring.flatMap(forwardsOf)).toEqual([])
  })

  it('1, 2. a second implementation is found', () => {
    const handlers = parse('a.ts', 'function make(): PageHandlers { return { ping: () => null, pay } }')
    expect(implementedMethods([...sources, handlers])).not.toEqual([...methods].sort())
    const more = parse(
      'b.ts',
      'function make(): { readonly actions: EmbeddedActions } { return { actions: { approve() {} } } }',
    )
    expect(implementedActions([...sources, more])).not.toEqual([...actions].sort())
  })

  it('3. a function that forwards by hand is found', () => {
    const name = 'c.ts'
    for (const code of [
      'const actions = { connect: (row, namespace) => page?.actions.connect(row, namespace) }',
      'const actions = { disconnect: async (namespace) => page?.actions.disconnect(namespace) }',
      'const handlers = { rpc: async (params, signal) => (await later.get()).rpc(params, signal) }',
      'const handlers = { pay(params, signal) { return now().pay(params, signal) } }',
      'const actions = { reject(id) { current()?.peek()?.approvals.reject(id) } }',
      'const actions = { close: () => void modal.close() }',
    ]) {
      const isOwnWork = code.includes('void modal.close')
      expect(forwardsOf(parse(name, code)), code).toHaveLength(isOwnWork ? 0 : 1)
    }
  })
})

function parse(name: string, text: string): ts.SourceFile {
  return ts.createSourceFile(name, text, ts.ScriptTarget.Latest, true)
}

/** The methods of the types in a file. */
function membersOf(source: ts.SourceFile): readonly Named[] {
  return nodesOf(source)
    .filter(ts.isMethodSignature)
    .map(({ name }) => ({ name: name.getText(), file: source.fileName }))
}

function implementedMethods(files: readonly ts.SourceFile[]): readonly string[] {
  return files.flatMap((file) => keysOf(file, /\b(HostHandlers|PageHandlers)\b/)).sort()
}

function implementedActions(files: readonly ts.SourceFile[]): readonly string[] {
  return files.flatMap((file) => keysOf(file, /\b\w+Actions\b/)).sort()
}

/** Names in the object literals that a function returns, or a type argument declares, as one of the `tables`. */
function keysOf(source: ts.SourceFile, tables: RegExp): readonly string[] {
  return nodesOf(source).flatMap((node) => {
    if (ts.isCallExpression(node) && node.typeArguments?.some((type) => tables.test(type.getText())))
      return node.arguments.flatMap(nodesOf).filter(ts.isObjectLiteralExpression).flatMap(namesIn)
    if (!ts.isFunctionDeclaration(node) || node.type === undefined || node.body === undefined) return []
    const returned = node.body.statements.flatMap((statement) =>
      ts.isReturnStatement(statement) && statement.expression !== undefined ? [statement.expression] : [],
    )
    return returned.filter(ts.isObjectLiteralExpression).flatMap((literal) => keysAs(literal, node.type, tables))
  })
}

/** Property names of a literal whose type is one of the `tables`, or of its property with such a type. */
function keysAs(literal: ts.ObjectLiteralExpression, type: ts.TypeNode | undefined, tables: RegExp): readonly string[] {
  if (type === undefined || !tables.test(type.getText())) return []
  if (!ts.isTypeLiteralNode(type)) return namesIn(literal)
  return type.members.filter(ts.isPropertySignature).flatMap((member) => {
    const property = literal.properties.find((one) => one.name?.getText() === member.name.getText())
    const value = property && ts.isPropertyAssignment(property) ? property.initializer : undefined
    return value && ts.isObjectLiteralExpression(value) ? keysAs(value, member.type, tables) : []
  })
}

function namesIn(literal: ts.ObjectLiteralExpression): readonly string[] {
  return literal.properties.flatMap(({ name }) => (name === undefined ? [] : [name.getText()]))
}

/** Actions and methods that only call another function of their name, with their own parameters. */
function forwardsOf(source: ts.SourceFile): readonly Named[] {
  return nodesOf(source).flatMap((node) => {
    if (!ts.isPropertyAssignment(node) && !ts.isMethodDeclaration(node)) return []
    const name = node.name.getText()
    const run = ts.isMethodDeclaration(node) ? node : node.initializer
    if (![...actions, ...methods].includes(name) || !(ts.isArrowFunction(run) || ts.isMethodDeclaration(run))) return []
    const only = run.body && onlyExpressionOf(run.body)
    if (only === undefined || !ts.isCallExpression(only) || !ts.isPropertyAccessExpression(only.expression)) return []
    const isSame =
      only.expression.name.getText() === name &&
      only.arguments.length === run.parameters.length &&
      only.arguments.every((argument, index) => argument.getText() === run.parameters[index]?.name.getText())
    return isSame ? [{ name, file: source.fileName }] : []
  })
}

/** The expression of a function that has no more than one. */
function onlyExpressionOf(body: ts.ConciseBody): ts.Expression | undefined {
  if (!ts.isBlock(body)) return body
  const [first, ...others] = body.statements
  const isSingle = first !== undefined && others.length === 0
  return isSingle && (ts.isReturnStatement(first) || ts.isExpressionStatement(first)) ? first.expression : undefined
}

function nodesOf(node: ts.Node): readonly ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => void children.push(child))
  return [node, ...children.flatMap(nodesOf)]
}

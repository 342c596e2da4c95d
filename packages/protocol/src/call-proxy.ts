/** Receives a call: `a.b(1)` as `['a', 'b']` and `[1]`. */
export type NamedCall = (path: readonly string[], args: readonly unknown[]) => unknown

/**
 * Returns an object that forwards calls: `proxy.a.b(1)` calls `call(['a', 'b'], [1])`.
 * A name always gives the same function. There is no `then`, so a promise can resolve with the object.
 */
export function createCallProxy(call: NamedCall, path: readonly string[] = []): object {
  const members = new Map<string, object>()
  return new Proxy(() => {}, {
    get(_target, name) {
      if (typeof name !== 'string' || name === 'then') return undefined
      const member = members.get(name) ?? createCallProxy(call, [...path, name])
      members.set(name, member)
      return member
    },
    apply: (_target, _self, args) => call(path, args),
  })
}

/** The function of `target` at `path`, bound to its object, or null. */
export function functionAt(target: object, path: readonly string[]): ((args: readonly unknown[]) => unknown) | null {
  let owner: unknown = null
  let member: unknown = target
  for (const name of path) {
    owner = member
    member = typeof owner === 'object' && owner !== null ? Reflect.get(owner, name) : undefined
  }
  return typeof member === 'function' ? (args) => Reflect.apply(member, owner, args) : null
}

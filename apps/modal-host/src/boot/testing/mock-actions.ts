import { type Mock, vi } from 'vitest'
import type { HostActions } from '../../snapshot/actions'

export type MockActions = { readonly [N in keyof HostActions]: Mock<HostActions[N]> }

/** A mock of every action, made when it is first read. Those in `does` do that; the others do nothing. */
export function mockActions(does: Partial<HostActions>): MockActions
export function mockActions(does: Partial<HostActions>): object {
  const mocks = new Map<string, Mock<(...args: unknown[]) => unknown>>()
  return new Proxy(does, {
    get(_target, name) {
      if (typeof name !== 'string' || name === 'then') return undefined
      const done: unknown = Reflect.get(does, name)
      const run = (...args: unknown[]): unknown =>
        typeof done === 'function' ? Reflect.apply(done, does, args) : undefined
      const mock = mocks.get(name) ?? vi.fn((...args: unknown[]) => run(...args))
      mocks.set(name, mock)
      return mock
    },
  })
}

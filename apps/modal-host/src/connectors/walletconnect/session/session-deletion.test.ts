import { expect, it } from 'vitest'
import type { Session } from '../client/client'
import { evmAccount, hostStorage } from '../testing/set-up'
import { createSessionRecords } from './records'
import { isAbandoned } from './session-deletion'

it('a session is abandoned once every namespace that it grants was left, and not if none can be read', () => {
  const records = createSessionRecords(hostStorage())
  const session = (namespaces: unknown) => ({ topic: 't1', namespaces }) as Session
  const granted = session({ eip155: { accounts: [`eip155:1:${evmAccount}`], methods: [], events: [] } })
  expect(isAbandoned(granted, records)).toBe(false)
  for (const namespaces of [{}, null, { eip155: null }]) expect(isAbandoned(session(namespaces), records)).toBe(false)
  records.change('t1', (record) => ({ ...record, left: ['eip155'] }))
  expect(isAbandoned(granted, records)).toBe(true)
})

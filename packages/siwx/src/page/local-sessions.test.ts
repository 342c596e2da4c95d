import { describe, expect, it } from 'vitest'
import { visitor } from '../testing/sign-in'
import { localSessions } from './local-sessions'
import { browser, pageWithoutStorage } from './testing/browser'

const key = 'postern.siwx'

describe('localSessions', () => {
  it('stores a session across a reload', async () => {
    const { tab } = browser()
    const session = await visitor().sign()
    await localSessions({ page: tab() }).add(session)
    expect(await localSessions({ page: tab() }).all()).toEqual([session])
  })

  it('stores one session per account and chain', async () => {
    const sessions = localSessions({ page: browser().tab() })
    const [anna, bert] = [visitor(), visitor()]
    await sessions.add(await anna.sign())
    await sessions.add(await bert.sign())
    await sessions.add(await anna.sign({ chainId: 'eip155:8453' }))
    const again = await anna.sign({ nonce: 'anothernonce' })
    await sessions.add(again)
    const all = await sessions.all()
    expect(all).toHaveLength(3)
    expect(all).toContainEqual(again)
  })

  it('ends a session only if chain and address match, ignoring the case of an EVM address', async () => {
    const sessions = localSessions({ page: browser().tab() })
    const anna = visitor()
    await sessions.add(await anna.sign())
    await sessions.revoke('eip155:8453', anna.address)
    await sessions.revoke('eip155:1', visitor().address)
    expect(await sessions.all()).toHaveLength(1)
    await sessions.revoke('eip155:1', anna.address.toLowerCase())
    expect(await sessions.all()).toEqual([])
  })

  it('treats a Solana address in another case as another account', async () => {
    const sessions = localSessions({ page: browser().tab() })
    const address = '7S3P4HxJpyyigGzodYwHtCxZyUQe9JiBMHyRWXArAaKv'
    const chainId = 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'
    const data = { ...visitor().message(), chainId, accountAddress: address } as const
    await sessions.add({ data, message: 'm', signature: 's' })
    await sessions.revoke(chainId, address.toLowerCase())
    expect(await sessions.all()).toHaveLength(1)
    await sessions.revoke(chainId, address)
    expect(await sessions.all()).toEqual([])
  })

  it('leaves nothing in storage after the last one ends', async () => {
    const { items, tab } = browser()
    const sessions = localSessions({ page: tab() })
    await sessions.add(await visitor().sign())
    expect([...items.keys()]).toEqual([key])
    await sessions.set([])
    expect(items.size).toBe(0)
  })

  it('1. drops invalid entries and keeps valid ones', async () => {
    const { items, tab } = browser()
    const session = await visitor().sign()
    for (const [text, expected] of [
      ['', []],
      ['{', []],
      ['null', []],
      ['{"0": 1, "length": 1}', []],
      [JSON.stringify([{ __proto__: null }, 7, null, { data: {} }, { ...session, message: 1 }, session]), [session]],
    ] as const) {
      items.set(key, text)
      expect(await localSessions({ page: tab() }).all()).toEqual(expected)
    }
  })

  it('2. notifies the other tabs and this one, once each', async () => {
    const { tab } = browser()
    const [here, other] = [localSessions({ page: tab() }), localSessions({ page: tab() })]
    const heard: string[] = []
    here.subscribe(() => heard.push('here'))
    other.subscribe(() => heard.push('there'))
    await here.add(await visitor().sign())
    expect(heard.sort()).toEqual(['here', 'there'])
    expect(await other.all()).toHaveLength(1)
  })

  it('2. hears when storage is cleared, and ignores other keys', async () => {
    const { tab } = browser()
    const [here, other] = [tab(), tab()]
    let calls = 0
    localSessions({ page: here }).subscribe(() => calls++)
    other.localStorage.setItem('theirs', '1')
    expect(calls).toBe(0)
    other.localStorage.clear()
    expect(calls).toBe(1)
  })

  it('2. leaves no listener behind', () => {
    const page = browser().tab()
    const sessions = localSessions({ page })
    const ends = [sessions.subscribe(() => {}), sessions.subscribe(() => {})]
    expect(page.listening()).toBe(1)
    for (const end of ends) end()
    for (const end of ends) end()
    expect(page.listening()).toBe(0)
  })

  it.each([
    ['denies storage', () => pageWithoutStorage],
    ['is a server', () => null],
  ])('3. lasts as long as the page if it %s', async (_, page) => {
    const sessions = localSessions({ page: page() })
    const session = await visitor().sign()
    await sessions.add(session)
    expect(await sessions.all()).toEqual([session])
    expect(await localSessions({ page: page() }).all()).toEqual([])
  })

  it('3. continues in memory if storage is full', async () => {
    const { tab, fill } = browser()
    const sessions = localSessions({ page: tab() })
    await sessions.add(await visitor().sign())
    fill()
    await sessions.add(await visitor().sign())
    expect(await sessions.all()).toHaveLength(2)
  })
})

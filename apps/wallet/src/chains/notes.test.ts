import { describe, expect, it } from 'vitest'
import { listIn, memoryNotes, type Notes } from './notes'

type Entry = { readonly key: string; readonly value: number }

function isEntry(entry: unknown): entry is Entry {
  return typeof entry === 'object' && entry !== null && 'key' in entry && 'value' in entry
}

/** Two tabs with one storage; `fails` breaks it for the first. */
function tabs() {
  const storage = memoryNotes()
  let isBroken = false
  const flaky: Notes = {
    update: (change) => (isBroken ? Promise.reject(new Error('QuotaExceededError')) : storage.update(change)),
  }
  const listOf = (notes: Notes) =>
    listIn<Entry>(notes, { read: (entry) => (isEntry(entry) ? entry : null), keyOf: ({ key }) => key })
  const [one, other] = [listOf(flaky), listOf(storage)]
  return {
    one,
    other,
    async whileBroken<T>(act: () => Promise<T>): Promise<T> {
      isBroken = true
      try {
        return await act()
      } finally {
        isBroken = false
      }
    },
  }
}

const same = (all: readonly Entry[]) => all
const put = (key: string, value: number) => (all: readonly Entry[]) => [
  ...all.filter((one) => one.key !== key),
  { key, value },
]
const without = (key: string) => (all: readonly Entry[]) => all.filter((one) => one.key !== key)

describe('a list in storage that fails for a moment', () => {
  it('gets what it missed', async () => {
    const { one, other, whileBroken } = tabs()
    await one(put('a', 1))
    await whileBroken(() => one(put('b', 1)))
    expect(await one(same)).toEqual([
      { key: 'a', value: 1 },
      { key: 'b', value: 1 },
    ])
    expect(await other(same)).toHaveLength(2)
  })

  it('gets what it missed to lose', async () => {
    const { one, other, whileBroken } = tabs()
    await one(put('a', 1))
    await whileBroken(() => one(without('a')))
    await one(same)
    expect(await other(same)).toEqual([])
  })

  it('keeps what another tab has written since, of entries that this tab did not change', async () => {
    const { one, other, whileBroken } = tabs()
    await one(put('a', 1))
    await one(put('b', 1))
    await other(put('a', 2))
    await other(without('b'))
    await whileBroken(() => one(same))
    expect(await one(same)).toEqual([{ key: 'a', value: 2 }])
  })
})

it('a list that was cleared in storage lasts as long as the frame', async () => {
  let kept: unknown
  const storage: Notes = {
    async update(change) {
      kept = change(kept)
      return kept
    },
  }
  const list = listIn<Entry>(storage, { read: (entry) => (isEntry(entry) ? entry : null), keyOf: ({ key }) => key })
  await list(put('a', 1))
  kept = undefined
  expect(await list(same)).toEqual([{ key: 'a', value: 1 }])
})

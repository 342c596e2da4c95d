import type { Eip1193Provider } from '@postern/client'

export type LogEntry = { readonly key: number; readonly at: string; readonly event: string; readonly data: string }

const maxEntries = 50
const events = ['connect', 'disconnect', 'chainChanged', 'accountsChanged', 'message'] as const

/** Calls back with the newest first. Returns the unsubscribe function. */
export function watchProvider(
  provider: Eip1193Provider,
  now: () => Date,
  onChange: (entries: readonly LogEntry[]) => void,
): () => void {
  let entries: readonly LogEntry[] = []
  let count = 0
  const ends = events.map((event) => {
    const listener = (data: unknown) => {
      const entry = { key: count++, at: now().toLocaleTimeString('en-GB'), event, data: format(data) }
      entries = [entry, ...entries].slice(0, maxEntries)
      onChange(entries)
    }
    provider.on(event, listener)
    return () => provider.removeListener(event, listener)
  })
  return () => {
    for (const end of ends) end()
  }
}

function format(data: unknown): string {
  return data instanceof Error ? data.message : (JSON.stringify(data) ?? '')
}

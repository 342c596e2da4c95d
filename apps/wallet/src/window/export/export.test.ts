import { describe, expect, it } from 'vitest'
import { type ExportEvent, type ExportState, reduceExport } from './export'

const keys = { mnemonic: 'legal winner', eip155: '0x1', solana: '2', bip122: '3' }
const after = (...events: readonly ExportEvent[]) => {
  const start: ExportState = { step: 'warning' }
  return events.reduce<ExportState>(reduceExport, start)
}

describe('reduceExport', () => {
  it('2. shows each secret when asked, and hides all of them at once', () => {
    const toggled = (kind: keyof typeof keys) => ({ type: 'toggled', kind }) as const
    const shown = after({ type: 'rebuilt', keys }, toggled('mnemonic'), toggled('eip155'))
    expect(shown).toMatchObject({ shown: ['mnemonic', 'eip155'] })
    expect(reduceExport(shown, toggled('mnemonic'))).toMatchObject({ shown: ['eip155'] })
    expect(reduceExport(shown, { type: 'hidden' })).toMatchObject({ shown: [] })
  })

  it('3. forgets the keys when the user is done with them', () => {
    const closed = after({ type: 'rebuilt', keys }, { type: 'closed' })
    expect(JSON.stringify(closed)).not.toContain('legal')
  })

  it('ignores a copy that settles after that', () => {
    const closed = after({ type: 'rebuilt', keys }, { type: 'closed' })
    expect(reduceExport(closed, { type: 'copied', kind: 'eip155', result: 'copied' })).toBe(closed)
  })
})

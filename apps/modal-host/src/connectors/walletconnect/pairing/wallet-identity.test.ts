import { describe, expect, it } from 'vitest'
import { identityOf } from './wallet-identity'

const row = { name: 'Rainbow', imageUrl: '/rainbow.svg' }

describe('identityOf', () => {
  it('uses the wallet’s own name, and the row’s image if it is the same wallet', () => {
    expect(identityOf(row, 'Rainbow Wallet')).toEqual({ name: 'Rainbow Wallet', imageUrl: '/rainbow.svg' })
    expect(identityOf(row, 'Trust')).toEqual({ name: 'Trust' })
    expect(identityOf(row, 'R')).toEqual({ name: 'R' })
    expect(identityOf(row, '  ')).toEqual(row)
  })

  it('is plain text of limited length', () => {
    expect(identityOf(row, 'tsurT\u202Eevil\u0000').name).toBe('tsurTevil')
    expect(identityOf(row, 'x'.repeat(500)).name).toHaveLength(64)
  })
})

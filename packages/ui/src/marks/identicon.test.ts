import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { planIdenticon } from './identicon'

const address = fc.stringMatching(/^[0-9a-f]{40}$/).map((digits) => `0x${digits}`)

describe('planIdenticon', () => {
  it('draws the same picture for the same address', () => {
    expect(planIdenticon('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045')).toEqual({ turn: 171, hues: [175, 243, 327] })
  })

  it('draws the same picture for an EVM address in any letter case', () => {
    fc.assert(
      fc.property(address, (text) => {
        expect(planIdenticon(text.toUpperCase().replace('0X', '0x'))).toEqual(planIdenticon(text))
      }),
    )
  })

  it('distinguishes base58 addresses by letter case', () => {
    expect(planIdenticon('7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU')).not.toEqual(
      planIdenticon('7xkxtg2cw87d97txjsdpbd5jbkhetqa83tzrujosgasu'),
    )
  })

  it('returns whole degrees, and different pictures for different addresses', () => {
    fc.assert(
      fc.property(address, address, (one, other) => {
        const { turn, hues } = planIdenticon(one)
        for (const angle of [...hues]) expect(Number.isInteger(angle) && angle >= 0 && angle < 360).toBe(true)
        expect(turn).toBeLessThanOrEqual(360)
        if (one !== other) expect(planIdenticon(other)).not.toEqual(planIdenticon(one))
      }),
    )
  })
})

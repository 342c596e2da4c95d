import { describe, expect, it } from 'vitest'
import { defaultFeatures, Features, SomeFeatures } from './features'

describe('feature flags', () => {
  it('have the defaults of spec §1', () => {
    const { socials, ...flags } = Features.parse(defaultFeatures)
    expect(flags).toEqual({
      swaps: true,
      onramp: true,
      receive: true,
      send: true,
      email: true,
      history: true,
      analytics: true,
      legalCheckbox: false,
      smartSessions: false,
      pay: false,
    })
    expect(socials).toEqual(['google', 'github', 'apple', 'facebook', 'x', 'discord'])
  })

  it('take the six social providers, and no other (spec §5)', () => {
    const socials = ['google', 'github', 'apple', 'facebook', 'x', 'discord']
    expect(SomeFeatures.parse({ socials })).toEqual({ socials })
    for (const other of ['farcaster', 'email', 'Google', '', 'constructor'])
      expect(SomeFeatures.safeParse({ socials: [...socials, other] }).success).toBe(false)
  })
})

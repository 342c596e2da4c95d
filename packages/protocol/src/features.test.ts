import { describe, expect, it } from 'vitest'
import { applyRemoteFeatures, defaultFeatures, Features } from './features'

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

  it('remote flags override local ones, also under the names of hosted services', () => {
    const remote = [
      { id: 'swap', isEnabled: false },
      { id: 'activity', isEnabled: false, config: null },
      { id: 'smartSessions', isEnabled: true },
    ]
    expect(applyRemoteFeatures(defaultFeatures, remote)).toEqual({
      ...defaultFeatures,
      swaps: false,
      history: false,
      smartSessions: true,
    })
  })

  it('social_login lists the providers and email', () => {
    const apply = (isEnabled: boolean, config?: string[]) =>
      applyRemoteFeatures(defaultFeatures, [{ id: 'social_login', isEnabled, config }])
    expect(apply(true, ['x', 'google', 'email', 'myspace'])).toMatchObject({ socials: ['google', 'x'], email: true })
    expect(apply(true, ['apple'])).toMatchObject({ socials: ['apple'], email: false })
    expect(apply(true)).toEqual(defaultFeatures)
    expect(apply(false, ['apple', 'email'])).toMatchObject({ socials: [], email: false })
  })

  it('ignores unknown flags and object prototype members', () => {
    const remote = ['constructor', '__proto__', 'teleport'].map((id) => ({ id, isEnabled: true }))
    expect(applyRemoteFeatures(defaultFeatures, remote)).toEqual(defaultFeatures)
  })
})

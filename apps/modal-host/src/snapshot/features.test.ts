import { defaultFeatures } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { featuresOf } from './features'

describe('featuresOf', () => {
  it('uses the defaults if nothing is set', () => expect(featuresOf(undefined, {})).toEqual(defaultFeatures))

  it('takes the dapp’s flags, overridden by the project’s', () => {
    const features = featuresOf({ swaps: false, send: false, pay: true }, { send: true, pay: false })
    expect(features).toEqual({ ...defaultFeatures, swaps: false, send: true, pay: false })
  })

  it('treats an undefined flag as absent', () => {
    expect(featuresOf({ swaps: undefined }, { onramp: undefined })).toEqual(defaultFeatures)
  })
})

import { defaultFeatures } from '@postern/protocol'
import { describe, expect, it } from 'vitest'
import { featuresOf } from './features'

describe('featuresOf', () => {
  it('is the defaults where nobody says anything', () => expect(featuresOf(undefined, {})).toEqual(defaultFeatures))

  it('takes the dapp’s flags, and the project’s over them', () => {
    const features = featuresOf({ swaps: false, send: false, pay: true }, { send: true, pay: false })
    expect(features).toEqual({ ...defaultFeatures, swaps: false, send: true, pay: false })
  })

  it('takes an undefined flag for an absent one', () => {
    expect(featuresOf({ swaps: undefined }, { onramp: undefined })).toEqual(defaultFeatures)
  })
})

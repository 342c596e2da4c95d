import { describe, expect, it } from 'vitest'
import { testPage } from '../testing/test-frame'
import { readSettings } from './page'

function settingsOf(search: string, block: string | null = JSON.stringify(testPage)) {
  const errors: Error[] = []
  const document = { getElementById: () => (block === null ? null : { textContent: block }) }
  const settings = Reflect.apply(readSettings, null, [document, search, (error: Error) => errors.push(error)])
  return { settings, errors }
}

describe('the settings of the frame', () => {
  it.each([
    ['8453', 'eip155:8453'],
    ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['', 'eip155:1'],
    ['x:y', 'eip155:1'],
  ])('chainId=%s starts on %s', (chainId, networkId) => {
    const { settings } = settingsOf(`?${new URLSearchParams({ chainId })}`)
    expect(settings).toMatchObject({ networkId, page: testPage })
  })

  it('enableLogger logs the kind of an unexpected error (spec §7)', () => {
    const { settings, errors } = settingsOf('?enableLogger=true')
    settings.report('TypeError')
    expect(errors.map(({ message }) => message)).toEqual(['Unexpected in the wallet: TypeError'])
  })

  it.each(['', '?enableLogger=false', '?enableLogger=1'])('logs nothing with %j', (search) => {
    const { settings, errors } = settingsOf(search)
    settings.report('TypeError')
    expect(errors).toEqual([])
  })

  it.each([null, '{}', 'no JSON'])('throws for the block %j', (block) => {
    expect(() => settingsOf('', block)).toThrow()
  })
})

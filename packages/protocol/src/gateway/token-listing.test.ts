import { describe, expect, it } from 'vitest'
import { shownTokens, type WithListing } from './token-listing'

const tokens: readonly (WithListing & { readonly id: string })[] = [
  { id: 'lure', listing: 'phishing' },
  { id: 'copy', listing: 'copy' },
  { id: 'listed', listing: 'listed' },
  { id: 'other', listing: 'unlisted' },
  { id: 'unknown' },
]
const idsOf = (showsSpam: boolean) => shownTokens(tokens, showsSpam).tokens.map(({ id }) => id)

describe('shownTokens', () => {
  it('1, 2. lists listed tokens first, and says where the unlisted ones begin', () => {
    expect(idsOf(false)).toEqual(['listed', 'unknown', 'copy', 'other'])
    expect(shownTokens(tokens, false).unlistedAt).toBe(2)
    expect(shownTokens(tokens.slice(2, 3), false).unlistedAt).toBe(-1)
  })

  it('3. counts spam, and shows it last if the user asks for it', () => {
    expect(shownTokens(tokens, false).hidden).toBe(1)
    expect(idsOf(true)).toEqual(['listed', 'unknown', 'copy', 'other', 'lure'])
    expect(shownTokens(tokens, true).hidden).toBe(0)
    expect(shownTokens(tokens.slice(0, 1), true).unlistedAt).toBe(0)
  })
})

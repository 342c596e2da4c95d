/**
 * Order of tokens in every list. Anyone can send a token with any name to any account.
 *
 * 1. Listed tokens come first, as do tokens of a service without a list.
 * 2. Unlisted tokens form their own group, copies of listed names included.
 * 3. `phishing` tokens are spam: hidden until the user shows them, then last.
 */
import * as z from 'zod/mini'

/**
 * `listed`: on the gateway's list. `copy`: named like another token. `phishing`: named with a web address or a lure.
 */
export const TokenListing = z.enum(['listed', 'unlisted', 'copy', 'phishing'])
export type TokenListing = z.infer<typeof TokenListing>

/** Absent if the service has no list. */
export const optionalListing = z.optional(z.catch(TokenListing, 'unlisted'))

export type WithListing = { readonly listing?: TokenListing | undefined }

export type ShownTokens<T> = {
  readonly tokens: readonly T[]
  /** First unlisted token; -1 if there is none. */
  readonly unlistedAt: number
  /** Hidden as spam. */
  readonly hidden: number
}

export function shownTokens<T extends WithListing>(all: readonly T[], showsSpam: boolean): ShownTokens<T> {
  const listed = all.filter(({ listing = 'listed' }) => listing === 'listed')
  const unlisted = all.filter(({ listing }) => listing === 'unlisted' || listing === 'copy')
  const spam = all.filter(isSpam)
  const others = showsSpam ? [...unlisted, ...spam] : unlisted
  return {
    tokens: [...listed, ...others],
    unlistedAt: others.length === 0 ? -1 : listed.length,
    hidden: showsSpam ? 0 : spam.length,
  }
}

export function isSpam({ listing }: WithListing): boolean {
  return listing === 'phishing'
}

export function isMisleading({ listing }: WithListing): boolean {
  return listing === 'copy' || listing === 'phishing'
}

import { readBalance } from '../frameworks/balance'
import { currencyOf } from '../frameworks/selectors'
import type { Postern } from '../types/index'
import type { DetailName, Details, ShownAccount } from './contract'

/** Rounds down. */
const threeDecimals = /(\.\d{3})\d+/

/** Never rejects. */
export async function readDetails(
  postern: Postern,
  { namespace, address, networkId }: ShownAccount,
  wanted: readonly DetailName[],
  locale: string,
): Promise<Details> {
  const currency = currencyOf(postern.getSnapshot(), networkId)
  const [profile, balance] = await Promise.all([
    wanted.includes('name') || wanted.includes('avatar') ? postern.getProfile(address).catch(() => ({})) : {},
    wanted.includes('balance') ? readBalance(postern, namespace, address, currency) : undefined,
  ])
  const { name, avatar }: Details = profile
  const amount = balance?.formatted
  return {
    key: `${networkId}:${address}`,
    ...(wanted.includes('name') && { name }),
    ...(wanted.includes('avatar') && { avatar }),
    ...(amount !== undefined && {
      balance: `${inLocale(Number(amount.replace(threeDecimals, '$1')), locale)} ${currency?.symbol}`,
    }),
  }
}

function inLocale(amount: number, locale: string): string {
  const options = { numberingSystem: 'latn' }
  try {
    return amount.toLocaleString(locale, options)
  } catch {
    // Not a language tag.
    return amount.toLocaleString('en', options)
  }
}

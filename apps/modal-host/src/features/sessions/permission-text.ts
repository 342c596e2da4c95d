import { exactUnits } from '@postern/chains/format'
import { shortAddress } from '@postern/chains/text'
import { isMisleading, type SmartSession, type TokenBalance } from '@postern/protocol'
import { useLocale, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { allowanceOf } from './session-state'

type Permission = SmartSession['permissions'][number]

/** The permission's token amount if known, otherwise its type. */
export function usePermissionText(balances: readonly TokenBalance[]): (permission: Permission) => string {
  const t = useText()
  const locale = useLocale()
  return (permission) => {
    const { token, remaining } = allowanceOf(permission)
    if (token === null || remaining === null || !/^\d{1,78}$/.test(remaining)) return plainText(permission.type)
    const balance = balances.find(({ address }) => address?.toLowerCase().endsWith(`:${token.toLowerCase()}`))
    if (balance === undefined || isMisleading(balance)) return t('sessions.ofToken', { token: shortAddress(token) })
    const decimals = Number.parseInt(balance.quantity.decimals, 10)
    return `${formatDecimal(exactUnits(BigInt(remaining), decimals), locale)}\u00A0${plainText(balance.symbol, 12)}`
  }
}

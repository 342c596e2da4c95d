import { splitDecimal } from '@postern/chains/text'
import { useLocale, useText } from '@postern/ui/locales/text'
import { lengthOf } from '@postern/ui/text-length'
import { Unseen } from '@postern/ui/unseen'
import { centsText } from '../../view-kit/format/fiat'
import { useScopes } from '../account/account-state'
import { BalanceLine } from '../account/BalanceLine'
import balanceStyles from '../account/BalanceLine.module.css'
import { useHoldings } from './use-portfolio'
import { totalCents } from './worth'

/** The total value; without a price, or on a testnet (spec §9), the native balance. */
export function Total() {
  const t = useText()
  const locale = useLocale()
  const { scopes, allNetworks } = useScopes()
  const { status, portfolio } = useHoldings(scopes)
  const networks = scopes.flatMap((scope) => scope.networks)
  if (!allNetworks && networks.every(({ testnet }) => testnet)) return <BalanceLine isTest />
  if (status === 'loading') return <WaitingTotal />
  const tests = new Set<string>(networks.filter(({ testnet }) => testnet).map(({ caipNetworkId }) => caipNetworkId))
  const cents = portfolio === null || portfolio.partial ? null : totalCents(portfolio.balances, (id) => tests.has(id))
  if (cents === null) return <BalanceLine />
  const { whole, fraction } = splitDecimal(centsText(cents), locale)
  return (
    <p className={balanceStyles.balance} data-length={lengthOf(whole.length, 11, 20)}>
      <Unseen>{t('account.total')} </Unseen>
      <bdi className={balanceStyles.amount}>
        ${whole}
        <span className={balanceStyles.fraction}>{fraction}</span>
      </bdi>
    </p>
  )
}

export function WaitingTotal() {
  const t = useText()
  return (
    <p className={balanceStyles.balance} aria-busy="true">
      <span className={balanceStyles.skeleton} />
      <Unseen>{t('account.balanceLoading')}</Unseen>
    </p>
  )
}

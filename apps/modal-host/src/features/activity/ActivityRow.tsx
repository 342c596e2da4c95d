import { explorerUrl } from '@postern/chains/adapter'
import { shortAddress, splitDecimal } from '@postern/chains/text'
import type { Network, ReplacementKind, WaitingTransaction } from '@postern/protocol'
import { TextButton } from '@postern/ui/button'
import type { Icon } from '@postern/ui/icons'
import { useLocale, useText } from '@postern/ui/locales/text'
import { TokenPicture } from '@postern/ui/token-picture'
import { CheckIcon, PlusIcon, ReceiptIcon, ReceiveIcon, SendIcon, SwapIcon } from '@postern/ui/view-icons'
import { useActions } from '../../view-kit/host-context'
import { ListRow, rowHeightPx } from '../account/AccountList'
import styles from './activity.module.css'
import type { ActivityEntry, AmountText, Operation } from './describe'

export type ActivityRowProps = {
  readonly entry: ActivityEntry
  readonly networks: ReadonlyMap<string, Network>
  readonly allNetworks: boolean
}

/** Height of the line that offers replacements: `--space-8`. */
const replacementsPx = 32

export function activityHeightPx({ waiting }: ActivityEntry): number {
  return waiting === undefined ? rowHeightPx : rowHeightPx + replacementsPx
}

export function ActivityRow({ entry, networks, allNetworks }: ActivityRowProps) {
  const t = useText()
  const locale = useLocale()
  const { operation, amounts, party, status, hash, picture, waiting } = entry
  const network = networks.get(entry.networkId ?? '')
  const [first, ...more] = amounts.map((amount) => formatAmount(amount, locale))
  const last = more.at(-1) ?? first
  const Glyph = glyphs.get(operation) ?? ReceiptIcon
  const where = allNetworks ? network?.name : undefined
  const who =
    party === null
      ? undefined
      : t(party.kind === 'from' ? 'activity.from' : 'activity.to', { address: shortAddress(party.address) })
  const detail = [who, where].filter((text) => text !== undefined).join(' · ')
  const row = (
    <ListRow
      icon={
        picture === undefined ? (
          <span className={styles.glyph} data-status={status}>
            <Glyph />
          </span>
        ) : (
          <TokenPicture src={picture} />
        )
      }
      title={t('activity.operation', { operation })}
      detail={detail === '' ? undefined : <bdi title={party?.address}>{detail}</bdi>}
      figure={last}
      tone={status === 'confirmed' && amounts[0]?.sign === '+' ? 'good' : undefined}
      side={
        status === 'confirmed' ? (
          more.length === 0 ? undefined : (
            first
          )
        ) : (
          <span className={styles.status} data-status={status}>
            {waiting?.replacedBy === undefined
              ? t('activity.status', { status })
              : t('activity.replacing', { kind: waiting.replacedBy })}
          </span>
        )
      }
      href={network === undefined || hash === null ? undefined : explorerUrl(network, 'tx', hash)}
    />
  )
  if (waiting === undefined) return row
  return (
    <>
      {row}
      <Replacements waiting={waiting} />
    </>
  )
}

/** The wallet asks the user. A cancellation can only be sped up, by another one. */
function Replacements({ waiting: { networkId, hash, replacedBy } }: { readonly waiting: WaitingTransaction }) {
  const t = useText()
  const { replaceTransaction } = useActions()
  const replace = (kind: ReplacementKind) => () => replaceTransaction({ networkId, hash, kind })
  return (
    <div className={styles.replacements}>
      {replacedBy !== 'cancel' && <TextButton onPress={replace('speedUp')}>{t('activity.speedUp')}</TextButton>}
      <TextButton onPress={replace('cancel')}>{t('activity.cancel')}</TextButton>
    </div>
  )
}

function formatAmount({ sign, decimal, unit }: AmountText, locale: string): string {
  if (decimal === null) return `${sign}${unit}`
  const { whole, fraction } = splitDecimal(decimal, locale)
  return `${sign}${whole}${fraction} ${unit}`.trim()
}

const glyphs: ReadonlyMap<Operation, Icon> = new Map<Operation, Icon>([
  ['send', SendIcon],
  ['pay', SendIcon],
  ['withdraw', ReceiveIcon],
  ['receive', ReceiveIcon],
  ['claim', ReceiveIcon],
  ['trade', SwapIcon],
  ['approve', CheckIcon],
  ['mint', PlusIcon],
])

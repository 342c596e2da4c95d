import { exactUnits } from '@postern/chains/format'
import { LabelledTextButton } from '@postern/ui/button'
import { useLocale, useText } from '@postern/ui/locales/text'
import { plainText } from '@postern/ui/plain-text'
import { PlainRow, Tag } from '@postern/ui/row'
import { safePicture } from '@postern/ui/safe-picture'
import { TokenPicture } from '@postern/ui/token-picture'
import { useState } from 'react'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { connectedAccounts } from '../../view-kit/connected-account'
import { formatDecimal } from '../../view-kit/format/format-amount'
import { useActions, useHost, useMoney, useSnapshot } from '../../view-kit/host-context'
import { perHost } from '../../view-kit/loading/per-host'
import { useErrorMessage } from '../../view-kit/messages/error-message'
import { readError } from '../../view-kit/messages/read-error'
import { ListingTag } from '../portfolio/ListingTag'
import { useProblemText } from '../send/problem-text'
import { isCarriedOut } from '../transaction/watch'
import styles from './move.module.css'
import { keyOf, type MoveItem, type MovePlace, prepareMove } from './move-item'

/** Limits the chain's answers before the wallet is asked. */
const prepareTimeoutMs = 30_000

/** Transactions by item. They survive the wallet's prompt, which covers this view. */
const sentOf = perHost(() => createStore<Readonly<Record<string, string>>>(() => ({})))

type MoveState = 'ready' | 'asking' | 'sent' | 'moved' | 'failed'

export function MoveRow({ place, item }: { readonly place: MovePlace; readonly item: MoveItem }) {
  const t = useText()
  const locale = useLocale()
  const { network } = place
  const { token } = item
  const { state, failure, isBusy, move } = useMove(place, item)
  const unit = plainText(token.symbol, 12)
  const detail =
    item.kind === 'nft' ? network.name : `${formatDecimal(exactUnits(token.balance, token.decimals), locale)} ${unit}`
  return (
    <li>
      <PlainRow
        icon={<TokenPicture src={safePicture(token.iconUrl)} seed={token.address ?? token.symbol} symbol={unit} />}
        title={plainText(token.name) || unit}
        badge={<ListingTag listing={token.listing} grouped={false} />}
        detail={<bdi>{detail}</bdi>}
        trailing={
          state === 'ready' || state === 'failed' ? (
            <LabelledTextButton onPress={move} label={t('move.sendWhat', { what: unit })}>
              {isBusy ? t('loading') : t('move.send')}
            </LabelledTextButton>
          ) : (
            <Tag tone={state === 'moved' ? 'active' : 'quiet'}>{t('move.state', { state })}</Tag>
          )
        }
      />
      <p className={styles.failure} role="alert">
        {failure}
      </p>
    </li>
  )
}

function useMove(place: MovePlace, item: MoveItem) {
  const host = useHost()
  const money = useMoney()
  const { switchNetwork } = useActions()
  const errorMessage = useErrorMessage()
  const { network, from } = place
  const problemText = useProblemText(item.token, network)
  const key = keyOf(place, item)
  const id = useStore(sentOf(host), (sent) => sent[key])
  const status = useSnapshot(({ transactions }) => transactions.find((one) => one.id === id)?.status)
  const [isBusy, setIsBusy] = useState(false)
  const [failed, setFailed] = useState<string | null>(null)

  async function run(): Promise<void> {
    const { caipNetworkId: networkId } = network
    const isThere = connectedAccounts(host.store.getState()).some((one) => one.networkId === networkId)
    if (!isThere) await switchNetwork(networkId)
    const prepared = await prepareMove(money, place, item, AbortSignal.timeout(prepareTimeoutMs))
    if (prepared.kind === 'problem') return setFailed(problemText(prepared.problem))
    const { request, purpose } = prepared
    const sent = money.transact({ networkId, ...request, purpose, from: from.address })
    sentOf(host).setState({ [key]: sent })
  }

  function move(): void {
    if (isBusy) return
    setFailed(null)
    setIsBusy(true)
    run()
      .catch((thrown: unknown) => {
        const { code, message } = readError(thrown)
        setFailed(errorMessage(code, message))
      })
      .finally(() => setIsBusy(false))
  }

  const state: MoveState =
    status === undefined || status.kind === 'declined'
      ? 'ready'
      : status.kind === 'asking' || status.kind === 'sent'
        ? status.kind
        : isCarriedOut(status)
          ? 'moved'
          : 'failed'
  const failure = failed ?? (status?.kind === 'failed' ? errorMessage(status.code, status.message) : null)
  return { state, failure, isBusy, move }
}

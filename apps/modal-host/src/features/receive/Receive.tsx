import { Button, ButtonPair } from '@postern/ui/button'
import { useCopy } from '@postern/ui/copy'
import { FullAddress } from '@postern/ui/full-address'
import { type Translate, useText } from '@postern/ui/locales/text'
import { Notice } from '@postern/ui/notice'
import { NetworkPicture } from '@postern/ui/picture'
import { Tabs } from '@postern/ui/tabs'
import { Status } from '@postern/ui/unseen'
import { CheckIcon, CopyIcon, ShareIcon } from '@postern/ui/view-icons'
import { useMemo, useState } from 'react'
import { namespaceWords } from '../../snapshot/namespace-facts'
import { connectedAccounts } from '../../view-kit/connected-account'
import { useSnapshot } from '../../view-kit/host-context'
import { PairingCode } from '../../view-kit/pairing/PairingCode'
import { type ReceiveAddress, receiveAddresses } from './addresses'
import styles from './receive.module.css'

export default function Receive() {
  const t = useText()
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const networks = useSnapshot((snapshot) => snapshot.networks)
  const activeNetworkId = useSnapshot((snapshot) => snapshot.activeNetworkId)
  const [chosen, setChosen] = useState<string | null>(null)
  const addresses = useMemo(() => {
    const namespace = connectedAccounts({ connections }).find((connected) =>
      activeNetworkId?.startsWith(`${connected.namespace}:`),
    )
    return receiveAddresses(connectedAccounts({ connections }), networks, namespace?.namespace ?? null)
  }, [connections, networks, activeNetworkId])
  const shown = addresses.find(({ id }) => id === chosen) ?? addresses[0]
  // The view briefly outlives its account.
  if (shown === undefined) return null
  const place = <Place key={shown.account.address} shown={shown} />
  return (
    <div className={styles.receive}>
      {addresses.length > 1 ? (
        <Tabs
          label={t('receive.chains')}
          tabs={addresses.map((address) => ({ id: address.id, label: labelOf(address, t) }))}
          selected={shown.id}
          onSelect={setChosen}
        >
          {place}
        </Tabs>
      ) : (
        place
      )}
    </div>
  )
}

function labelOf({ namespace, isOrdinals }: ReceiveAddress, t: Translate): string {
  return isOrdinals ? t('account.ordinals') : t('receive.chain', namespaceWords(namespace))
}

function Place({ shown }: { readonly shown: ReceiveAddress }) {
  const t = useText()
  const { address } = shown.account
  const { copied, copy } = useCopy(t('copyFailed'))
  const { network } = shown
  return (
    <div className={styles.place}>
      <PairingCode
        pairing={{ kind: 'ready', uri: address, expiresAt: Number.POSITIVE_INFINITY }}
        wallet=""
        label={t('receive.code', { address })}
        imageUrl={undefined}
        mark={<NetworkPicture src={network?.assets?.imageUrl} size="code" />}
      />
      <div className={styles.address}>
        <FullAddress address={address} />
      </div>
      <Notice tone="info" title={titleOf(shown, t)} text={noteOf(shown, t)} />
      <Ways address={address} copied={copied} onCopy={() => copy(address)} />
      <Status>{copied ? t('copied') : ''}</Status>
    </div>
  )
}

function titleOf({ namespace, network, isOrdinals }: ReceiveAddress, t: Translate): string {
  if (isOrdinals) return t('receive.onlyOrdinals')
  const name = network?.name ?? t('chain.name', namespaceWords(namespace))
  return t('receive.only', { network: name })
}

function noteOf({ namespace, account, network, isOrdinals }: ReceiveAddress, t: Translate): string {
  if (isOrdinals) return t('receive.ordinalsNote')
  if (account.type === 'smartAccount') return t('receive.smartNote')
  const note = t('receive.note', namespaceWords(namespace))
  return network?.testnet === true ? `${note} ${t('receive.testnet')}` : note
}

type WaysProps = { readonly address: string; readonly copied: boolean; readonly onCopy: () => void }

function Ways({ address, copied, onCopy }: WaysProps) {
  const t = useText()
  const data = { text: address }
  // Absent in some browsers.
  const canShare: ((data: ShareData) => boolean) | undefined = navigator.canShare?.bind(navigator)
  const isShared = canShare?.(data) ?? false
  const copyButton = (
    <Button tone={isShared ? 'secondary' : 'primary'} onPress={onCopy}>
      {copied ? <CheckIcon small /> : <CopyIcon small />}
      {copied ? t('receive.copied') : t('receive.copy')}
    </Button>
  )
  if (!isShared) return copyButton
  return (
    <ButtonPair>
      {copyButton}
      {/* Closing the sheet is not a failure. */}
      <Button tone="primary" onPress={() => void navigator.share(data).catch(() => {})}>
        <ShareIcon small />
        {t('receive.share')}
      </Button>
    </ButtonPair>
  )
}

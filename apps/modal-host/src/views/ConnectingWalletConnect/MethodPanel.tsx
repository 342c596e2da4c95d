import { Button, ButtonLink, ButtonPair } from '@postern/ui/button'
import { type TextKey, useText } from '@postern/ui/locales/text'
import { Message } from '@postern/ui/message'
import { WalletPicture } from '@postern/ui/picture'
import { ProgressPicture } from '@postern/ui/progress'
import type { ReactNode } from 'react'
import type { ConnectAttempt } from '../../snapshot/contract'
import { isInstalled } from '../../snapshot/wallet-row'
import columnStyles from '../../view-kit/column.module.css'
import { useActions } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import { CopyLink } from '../../view-kit/pairing/CopyLink'
import { PairingCode } from '../../view-kit/pairing/PairingCode'
import { PairingStatus } from '../../view-kit/pairing/PairingStatus'
import { installLinks, isWebLink, platformOf } from '../../view-kit/wallets/wallet-rows'
import type { ConnectMethod } from './connect-methods'
import { useNotOpened } from './use-not-opened'

/** Longer names do not fit in half a row. */
const longName = 18

type PanelProps = { readonly attempt: ConnectAttempt }

export function MethodPanel({ method, attempt }: PanelProps & { readonly method: ConnectMethod }): ReactNode {
  switch (method) {
    case 'code':
      return <CodePanel attempt={attempt} />
    case 'extension':
      return <ExtensionPanel attempt={attempt} />
    case 'app':
    case 'desktop':
    case 'web':
      return <LinkPanel method={method} attempt={attempt} />
  }
}

function CodePanel({ attempt }: PanelProps) {
  const t = useText()
  const { row, pairing } = attempt
  return (
    <div className={columnStyles.gap4}>
      <PairingCode pairing={pairing} wallet={row.name} imageUrl={row.imageUrl} />
      <PairingStatus hint={t('pairing.scan')} />
      <OtherWays attempt={attempt} />
    </div>
  )
}

type LinkMethod = Exclude<ConnectMethod, 'code' | 'extension'>
type LinkWords = { readonly kind: 'mobile' | 'desktop' | 'webapp'; readonly hint: TextKey; readonly button: TextKey }

const linkWords: Readonly<Record<LinkMethod, LinkWords>> = {
  app: { kind: 'mobile', hint: 'pairing.openAppHint', button: 'pairing.openApp' },
  desktop: { kind: 'desktop', hint: 'pairing.openDesktopHint', button: 'pairing.openDesktop' },
  web: { kind: 'webapp', hint: 'pairing.openWebHint', button: 'pairing.openWeb' },
}

/** Browsers require the user's press. */
function LinkPanel({ method, attempt }: PanelProps & { readonly method: LinkMethod }) {
  const t = useText()
  const { openWalletLink } = useActions()
  const { row, pairing } = attempt
  const { kind, hint, button } = linkWords[method]
  const { notOpened, onPress } = useNotOpened()
  const open = () => {
    openWalletLink(kind)
    onPress()
  }
  return (
    <div className={columnStyles.gap4}>
      <Message
        picture={<WaitingPicture imageUrl={row.imageUrl} />}
        title={notOpened ? t('pairing.notOpened') : t('connecting.waiting', { wallet: row.name })}
        text={t(notOpened ? 'pairing.notOpenedHint' : hint)}
        live
      />
      <PairingStatus />
      <div className={columnStyles.gap2}>
        <Button tone="primary" busy={pairing?.kind !== 'ready'} onPress={open}>
          {t(button, { wallet: row.name })}
        </Button>
        <OtherWays attempt={attempt} />
      </div>
    </div>
  )
}

function ExtensionPanel({ attempt: { row } }: PanelProps) {
  const t = useText()
  const { connect } = useActions()
  const installed = isInstalled(row)
  const store = row.entry?.chrome_store
  return (
    <div className={columnStyles.gap4}>
      <Message
        picture={<WalletPicture src={row.imageUrl} size="hero" />}
        title={t('pairing.extensionText', { wallet: row.name })}
        text={t(installed ? 'pairing.extensionReady' : 'pairing.extensionHint')}
      />
      {installed ? (
        <Button tone="primary" onPress={() => connect(row)}>
          {t('connect.title')}
        </Button>
      ) : (
        isWebLink(store) && (
          <ButtonLink tone="primary" href={store}>
            {t('connecting.chrome')}
          </ButtonLink>
        )
      )}
    </div>
  )
}

function OtherWays({ attempt: { row, pairing } }: PanelProps) {
  const t = useText()
  const { push } = useNavigation()
  const [link, ...others] = installLinks(row.entry, platformOf(navigator.userAgent))
  const copy = <CopyLink pairing={pairing} />
  if (link === undefined) return copy
  const get = row.name.length > longName ? t('pairing.get') : t('getWallet.title', { wallet: row.name })
  return (
    <ButtonPair>
      <div>{copy}</div>
      {others.length === 0 ? (
        <ButtonLink tone="secondary" href={link.href}>
          {get}
        </ButtonLink>
      ) : (
        <Button tone="secondary" onPress={() => push('GetWallet')}>
          {get}
        </Button>
      )}
    </ButtonPair>
  )
}

function WaitingPicture({ imageUrl }: { readonly imageUrl: string | undefined }) {
  return (
    <ProgressPicture progress="running">
      <WalletPicture src={imageUrl} size="hero" />
    </ProgressPicture>
  )
}

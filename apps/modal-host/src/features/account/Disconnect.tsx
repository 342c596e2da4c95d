import type { Namespace } from '@postern/protocol'
import { Button, ButtonPair } from '@postern/ui/button'
import { useText } from '@postern/ui/locales/text'
import { focusFirst } from '@postern/ui/question'
import { Unseen } from '@postern/ui/unseen'
import { useState } from 'react'
import { namespaceWords } from '../../snapshot/namespace-facts'
import { type ConnectedAccount, connectedAccounts, isEmbedded } from '../../view-kit/connected-account'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import styles from './Account.module.css'

type Leaving = 'no' | 'asking' | 'one' | 'all'

/** Asks for confirmation. The embedded wallet's connections count as one: they share a sign-in. */
export function Disconnect({ connected }: { readonly connected: ConnectedAccount }) {
  const t = useText()
  const { disconnect } = useActions()
  const connections = useSnapshot((snapshot) => snapshot.connections)
  const [leaving, setLeaving] = useState<Leaving>('no')
  const isOwn = isEmbedded(connected)
  const all = connectedAccounts({ connections })
  const several = all.length > 1 && !(isOwn && all.every(isEmbedded))
  const leave = (which: 'one' | 'all', namespace?: Namespace) => {
    setLeaving(which)
    // The snackbar reports a failure (spec §8).
    void disconnect(namespace).finally(() => setLeaving('no'))
  }
  if (leaving === 'no')
    return (
      <div>
        <Button tone="bad" onPress={() => setLeaving('asking')}>
          {t(isOwn ? 'account.signOut' : 'account.disconnect')}
        </Button>
      </div>
    )
  const stay = (
    <Button tone="secondary" onPress={() => setLeaving('no')}>
      {t(isOwn ? 'account.staySignedIn' : 'account.stay')}
    </Button>
  )
  const one = (
    <Button tone="bad" busy={leaving === 'one'} onPress={() => leave('one', connected.namespace)}>
      {several && !isOwn
        ? t('account.disconnectOne', namespaceWords(connected.namespace))
        : t(isOwn ? 'account.signOut' : 'account.disconnect')}
      {leaving === 'one' && <Unseen>{t('account.disconnecting')}</Unseen>}
    </Button>
  )
  return (
    <div className={styles.confirm} ref={focusFirst}>
      <div className={styles.question} role="status">
        <p className={styles.ask}>
          {several
            ? t('account.confirmSeveral')
            : isOwn
              ? t('account.confirmSignOut')
              : t('account.confirm', { wallet: connected.connector?.name ?? t('account.wallet') })}
        </p>
        <p className={styles.hint}>{t(isOwn ? 'account.signOutHint' : 'account.confirmHint')}</p>
      </div>
      {several ? (
        <>
          {stay}
          <ButtonPair>
            {one}
            <Button tone="bad" busy={leaving === 'all'} onPress={() => leave('all')}>
              {t('account.disconnectAll')}
              {leaving === 'all' && <Unseen>{t('account.disconnecting')}</Unseen>}
            </Button>
          </ButtonPair>
        </>
      ) : (
        <ButtonPair>
          {stay}
          {one}
        </ButtonPair>
      )}
    </div>
  )
}

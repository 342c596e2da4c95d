import { BackIcon, CloseIcon, HelpIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { factsOfView } from '../../snapshot/views'
import { useActions, useSnapshot } from '../../view-kit/host-context'
import { useNavigation } from '../../view-kit/navigation'
import styles from './header.module.css'
import { isTitled, ViewTitle } from './title'

export function Header({ titleId }: { readonly titleId: string }) {
  const t = useText()
  const { close, cancelConnect, cancelSignIn, cancelEmailChange, want } = useActions()
  const { view, canGoBack, back, push } = useNavigation()
  const attempting = useSnapshot((snapshot) => snapshot.connectAttempt !== null)
  const facts = factsOfView(view)
  // Back from an attempt that the modal opened with leads to Connect.
  const isWaiting = facts.back === 'cancelsConnection' || facts.back === 'cancelsSignIn'
  const hasWayBack = (canGoBack && facts.back !== 'none') || isWaiting
  return (
    <header className={styles.header}>
      <span className={styles.side}>
        {hasWayBack ? (
          <button
            type="button"
            className={styles.button}
            aria-label={t('back')}
            onClick={() => {
              if (facts.back === 'cancelsConnection' && attempting) cancelConnect()
              if (facts.back === 'cancelsSignIn') cancelSignIn()
              if (facts.back === 'cancelsEmailChange') cancelEmailChange()
              if (facts.back === 'clearsWalletFilter') want(null)
              back()
            }}
          >
            <BackIcon />
          </button>
        ) : (
          facts.hasHelp && (
            <button
              type="button"
              className={styles.button}
              aria-label={t('help')}
              onClick={() => push('WhatIsAWallet')}
            >
              <HelpIcon />
            </button>
          )
        )}
      </span>
      {/* A new heading replaces "Loading" and takes the focus, so that screen readers announce it. */}
      <h1
        key={String(isTitled(view))}
        id={titleId}
        tabIndex={-1}
        className={styles.title}
        data-unseen={facts.hidesTitle}
      >
        <ViewTitle view={view} />
      </h1>
      <span className={styles.side}>
        <button type="button" className={styles.button} aria-label={t('close')} onClick={close}>
          <CloseIcon />
        </button>
      </span>
    </header>
  )
}

import { BackIcon, CloseIcon, HelpIcon } from '@postern/ui/icons'
import { useText } from '@postern/ui/locales/text'
import { useActions, useSnapshot } from '../view-kit/host-context'
import { isAttemptView, isEmailChangeView, isSignInView, useNavigation, type View } from '../view-kit/navigation'
import styles from './header.module.css'
import { isTitled, ViewTitle } from './title'

/** Visually hidden titles: the content identifies the view. */
const unseenTitles: ReadonlySet<View> = new Set(['Account'])
const helpedViews: ReadonlySet<View> = new Set(['Connect'])

export function Header({ titleId }: { readonly titleId: string }) {
  const t = useText()
  const { close, cancelConnect, cancelSignIn, cancelEmailChange, want } = useActions()
  const { view, canGoBack, back, push } = useNavigation()
  const attempting = useSnapshot((snapshot) => snapshot.connectAttempt !== null)
  // ApproveTransaction has no Back: approve, reject or close.
  const hasWayBack = (canGoBack && view !== 'ApproveTransaction') || isAttemptView(view) || isSignInView(view)
  return (
    <header className={styles.header}>
      <span className={styles.side}>
        {/* An attempt that the modal opened with goes back to Connect. */}
        {hasWayBack ? (
          <button
            type="button"
            className={styles.button}
            aria-label={t('back')}
            onClick={() => {
              if (isAttemptView(view) && attempting) cancelConnect()
              if (isSignInView(view)) cancelSignIn()
              if (isEmailChangeView(view)) cancelEmailChange()
              // Back clears the wallet filter.
              if (view === 'Connect') want(null)
              back()
            }}
          >
            <BackIcon />
          </button>
        ) : (
          helpedViews.has(view) && (
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
      {/* A new heading replaces "Loading" and takes the focus, so screen readers announce it. */}
      <h1
        key={String(isTitled(view))}
        id={titleId}
        tabIndex={-1}
        className={styles.title}
        data-unseen={unseenTitles.has(view) || undefined}
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

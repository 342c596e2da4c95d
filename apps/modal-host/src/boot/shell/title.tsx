import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { useState } from 'react'
import { namespaceWords } from '../../snapshot/namespace-facts'
import type { View } from '../../snapshot/views'
import { useSnapshot } from '../../view-kit/host-context'
import { type RegisteredView, registry } from '../navigation/views'
import styles from './header.module.css'

/** Names the dialog, heads the view and announces a new one. Titles load with the registry. */
export function ViewTitle({ view }: { readonly view: View }) {
  const t = useText()
  if (view === 'Connect') return <ConnectTitle />
  return isTitled(view) ? <RegisteredTitle view={view} /> : <Unseen>{t('loading')}</Unseen>
}

export function isTitled(view: View): boolean {
  return view === 'Connect' || registry.now() !== null
}

function ConnectTitle() {
  const t = useText()
  const namespace = useSnapshot((snapshot) => snapshot.wantedNamespace)
  return <TitleText text={namespace === null ? t('connect.title') : t('connect.only', namespaceWords(namespace))} />
}

function RegisteredTitle({ view }: { readonly view: RegisteredView }) {
  const t = useText()
  const now = useSnapshot((snapshot) => registry.now()?.views[view].title?.(snapshot, t))
  const [last, setLast] = useState(now)
  if (now !== null && now !== last) setLast(now)
  return <TitleText text={(now === null ? last : now) ?? t(`title.${view}`)} />
}

function TitleText({ text }: { readonly text: string }) {
  return (
    <span key={text} className={styles.words} title={text}>
      {text}
    </span>
  )
}

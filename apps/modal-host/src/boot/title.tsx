import { useText } from '@postern/ui/locales/text'
import { Unseen } from '@postern/ui/unseen'
import { useSnapshot } from '../view-kit/host-context'
import type { View } from '../view-kit/navigation'
import { TitleText } from './title-text'
import { laterViews } from './views'

/** The dialog's name and heading. Later views show "Loading" until their titles load. */
export function ViewTitle({ view }: { readonly view: View }) {
  const t = useText()
  if (view === 'Connect') return <ConnectTitle />
  const later = laterViews.peek()
  return later === null ? <Unseen>{t('loading')}</Unseen> : <later.LaterTitle view={view} />
}

export function isTitled(view: View): boolean {
  return view === 'Connect' || laterViews.peek() !== null
}

function ConnectTitle() {
  const t = useText()
  const namespace = useSnapshot((snapshot) => snapshot.wantedNamespace)
  return <TitleText text={namespace === null ? t('connect.title') : t('connect.only', { namespace })} />
}

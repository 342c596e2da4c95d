import listStyles from '@postern/ui/list.module.css'
import { useText } from '@postern/ui/locales/text'
import { SkeletonRow } from '@postern/ui/row'
import { Unseen } from '@postern/ui/unseen'

export function LoadingView() {
  const t = useText()
  return (
    <div className={listStyles.list} aria-busy="true">
      <Unseen>{t('loading')}</Unseen>
      <SkeletonRow />
      <SkeletonRow />
      <SkeletonRow />
      <SkeletonRow />
    </div>
  )
}

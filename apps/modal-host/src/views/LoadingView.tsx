import { useText } from '../locales/text'
import listStyles from '../ui/list.module.css'
import { SkeletonRow } from '../ui/row'
import { Unseen } from '../ui/unseen'

/** The shape of a list to come. */
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

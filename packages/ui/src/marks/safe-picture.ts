const ownBytes = /^data:image\/(?:png|jpeg|gif|webp);[\w;=+,/-]{1,262144}$/
/** Checked images of this origin. Strict: browsers read `/\\elsewhere.example` as another site. */
const ownPath = /^\/(?:public\/getTokenImage|v1\/(?:nft-image|avatar))\/[\w.~%:-]+(?:\?[\w.~%=&-]*)?$/

/** The URL if it is a data URI or a checked gateway image: showing one reveals nothing to a third party. */
export function safePicture(url: string | null | undefined): string | undefined {
  return url != null && (ownBytes.test(url) || ownPath.test(url)) ? url : undefined
}

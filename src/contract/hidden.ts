/**
 * What is drawn as nothing. Three kinds are left where they belong, because writing needs them: a variation
 * selector after an emoji, a joiner within an emoji or within a script whose letters join.
 */
export const HIDDEN =
  /(?![\ufe0e\ufe0f\u200c\u200d])\p{Default_Ignorable_Code_Point}|(?<!\p{Emoji})[\ufe0e\ufe0f]|(?<!\p{Extended_Pictographic}\ufe0f?|\p{Emoji_Modifier}|[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Gurmukhi}\p{Script=Gujarati}\p{Script=Oriya}\p{Script=Tamil}\p{Script=Telugu}\p{Script=Kannada}\p{Script=Malayalam}\p{Script=Sinhala}\p{Script=Khmer}])[\u200c\u200d]|[\u2028\u2029\ufff9-\ufffb]/gu;

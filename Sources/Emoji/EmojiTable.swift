// Made by `make emoji`; changes are made in fixtures/generate-emoji. Each line: an emoji, its names, "|" and its keywords, where
// it has any.
//
// Names and keywords are those of Unicode's emoji-test.txt and CLDR:
//
// Copyright © 1991-2022 Unicode, Inc. All rights reserved. Distributed under the Terms of Use in
// https://www.unicode.org/copyright.html. Permission is hereby granted, free of charge, to any person obtaining a copy of the
// Unicode data files and any associated documentation (the "Data Files") or Unicode software and any associated documentation
// (the "Software") to deal in the Data Files or Software without restriction, including without limitation the rights to use,
// copy, modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to whom the
// Data Files or Software are furnished to do so, provided that either (a) this copyright and permission notice appear with all
// copies of the Data Files or Software, or (b) this copyright and permission notice appear in associated Documentation.
//
// THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED
// TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD PARTY RIGHTS. IN NO EVENT
// SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL
// DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR
// OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE. Except as
// contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise to promote the sale, use
// or other dealings in these Data Files or Software without prior written authorization of the copyright holder.
//
// Short names are those of GitHub, as goldmark-emoji lists them:
//
// Copyright (c) 2020 Yusuke Inuzuka. Permission is hereby granted, free of charge, to any person obtaining a copy of this software
// and associated documentation files (the "Software"), to deal in the Software without restriction, including without limitation
// the rights to use, copy, modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit
// persons to whom the Software is furnished to do so, subject to the following conditions: The above copyright notice and this
// permission notice shall be included in all copies or substantial portions of the Software. THE SOFTWARE IS PROVIDED "AS IS",
// WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A
// PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR
// OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR
// THE USE OR OTHER DEALINGS IN THE SOFTWARE.

/// The names of all emoji. A literal, so that it costs nothing before its first use.
enum EmojiTable {
    static let text = """
        😀 grinning_face grinning
        😃 grinning_face_with_big_eyes smiley|mouth open
        😄 grinning_face_with_smiling_eyes smile|mouth open
        😁 beaming_face_with_smiling_eyes grin|smile
        😆 grinning_squinting_face laughing|mouth satisfied smile
        😅 grinning_face_with_sweat sweat_smile|cold open
        🤣 rolling_on_the_floor_laughing rofl|face rotfl
        😂 face_with_tears_of_joy joy|laugh
        🙂 slightly_smiling_face|smile
        🙃 upside_down_face
        🫠 melting_face|disappear dissolve liquid
        😉 winking_face wink
        😊 smiling_face_with_smiling_eyes blush|smile
        😇 smiling_face_with_halo innocent|angel fantasy
        🥰 smiling_face_with_hearts smiling_face_with_three_hearts|adore crush in_love
        😍 smiling_face_with_heart_eyes heart_eyes|love smile
        🤩 star_struck|eyes face grinning
        😘 face_blowing_a_kiss kissing_heart
        😗 kissing_face kissing
        ☺️ smiling_face relaxed|outlined smile
        😚 kissing_face_with_closed_eyes kissing_closed_eyes
        😙 kissing_face_with_smiling_eyes kissing_smiling_eyes|smile
        🥲 smiling_face_with_tear|grateful proud relieved touched
        😋 face_savoring_food yum|delicious savouring smile
        😛 face_with_tongue stuck_out_tongue
        😜 winking_face_with_tongue stuck_out_tongue_winking_eye|joke
        🤪 zany_face|eye goofy large small
        😝 squinting_face_with_tongue stuck_out_tongue_closed_eyes|horrible taste
        🤑 money_mouth_face
        🤗 smiling_face_with_open_hands hugs|hugging
        🤭 face_with_hand_over_mouth hand_over_mouth|whoops
        🫢 face_with_open_eyes_and_hand_over_mouth|amazement awe disbelief embarrass scared surprise
        🫣 face_with_peeking_eye|captivated peep stare
        🤫 shushing_face|quiet
        🤔 thinking_face thinking
        🫡 saluting_face|ok salute sunny troops yes
        🤐 zipper_mouth_face
        🤨 face_with_raised_eyebrow raised_eyebrow|distrust skeptic
        😐 neutral_face|deadpan meh
        😑 expressionless_face expressionless|inexpressive meh unexpressive
        😶 face_without_mouth no_mouth|quiet silent
        🫥 dotted_line_face|depressed disappear hide introvert invisible
        😶‍🌫️ face_in_clouds|absentminded face_in_the_fog head_in_clouds
        😏 smirking_face smirk
        😒 unamused_face unamused|unhappy
        🙄 face_with_rolling_eyes roll_eyes|eyeroll
        😬 grimacing_face grimacing|grimace
        😮‍💨 face_exhaling|exhale gasp groan relief whisper whistle
        🤥 lying_face|lie pinocchio
        🫨 shaking_face
        😌 relieved_face relieved
        😔 pensive_face pensive|dejected
        😪 sleepy_face sleepy|good_night
        🤤 drooling_face
        😴 sleeping_face sleeping|good_night zzz
        😷 face_with_medical_mask mask|cold doctor sick
        🤒 face_with_thermometer|ill sick
        🤕 face_with_head_bandage|hurt injury
        🤢 nauseated_face|vomit
        🤮 face_vomiting vomiting_face|puke sick
        🤧 sneezing_face|gesundheit sneeze
        🥵 hot_face|feverish heat_stroke red_faced sweating
        🥶 cold_face|blue_faced freezing frostbite icicles
        🥴 woozy_face|dizzy intoxicated tipsy uneven_eyes wavy_mouth
        😵 face_with_crossed_out_eyes dizzy_face|dead knocked_out
        😵‍💫 face_with_spiral_eyes|dizzy hypnotized trouble whoa
        🤯 exploding_head|mind_blown shocked
        🤠 cowboy_hat_face|cowgirl
        🥳 partying_face|celebration hat horn
        🥸 disguised_face|glasses incognito nose
        😎 smiling_face_with_sunglasses sunglasses|bright cool
        🤓 nerd_face|geek
        🧐 face_with_monocle monocle_face|stuffy
        😕 confused_face confused|meh
        🫤 face_with_diagonal_mouth|disappointed meh skeptical unsure
        😟 worried_face worried
        🙁 slightly_frowning_face
        ☹️ frowning_face
        😮 face_with_open_mouth open_mouth|sympathy
        😯 hushed_face hushed|stunned surprised
        😲 astonished_face astonished|shocked totally
        😳 flushed_face flushed|dazed
        🥺 pleading_face|begging mercy puppy_eyes
        🥹 face_holding_back_tears|angry cry proud resist sad
        😦 frowning_face_with_open_mouth frowning
        😧 anguished_face anguished
        😨 fearful_face fearful|scared
        😰 anxious_face_with_sweat cold_sweat|blue rushed
        😥 sad_but_relieved_face disappointed_relieved|whew
        😢 crying_face cry|sad tear
        😭 loudly_crying_face sob|sad tear
        😱 face_screaming_in_fear scream|munch scared
        😖 confounded_face confounded
        😣 persevering_face persevere
        😞 disappointed_face disappointed
        😓 downcast_face_with_sweat sweat|cold
        😩 weary_face weary|tired
        😫 tired_face
        🥱 yawning_face|bored tired
        😤 face_with_steam_from_nose triumph|won
        😡 enraged_face rage|angry mad pouting red
        😠 angry_face angry|anger mad
        🤬 face_with_symbols_on_mouth cursing_face|swearing
        😈 smiling_face_with_horns smiling_imp|fairy_tale fantasy smile
        👿 angry_face_with_horns imp|demon devil fantasy
        💀 skull|death face fairy_tale monster
        ☠️ skull_and_crossbones|death face monster
        💩 pile_of_poo hankey|dung face monster poop
        🤡 clown_face
        👹 ogre japanese_ogre|creature face fairy_tale fantasy monster
        👺 goblin japanese_goblin|creature face fairy_tale fantasy monster
        👻 ghost|creature face fairy_tale fantasy monster
        👽 alien|creature extraterrestrial face fantasy ufo
        👾 alien_monster space_invader|creature extraterrestrial face ufo
        🤖 robot|face monster
        😺 grinning_cat smiley_cat|face mouth open
        😸 grinning_cat_with_smiling_eyes smile_cat|face
        😹 cat_with_tears_of_joy joy_cat|face
        😻 smiling_cat_with_heart_eyes heart_eyes_cat|face love smile
        😼 cat_with_wry_smile smirk_cat|face ironic
        😽 kissing_cat|eye face
        🙀 weary_cat scream_cat|face oh surprised
        😿 crying_cat crying_cat_face|sad tear
        😾 pouting_cat|face
        🙈 see_no_evil_monkey see_no_evil|face forbidden
        🙉 hear_no_evil_monkey hear_no_evil|face forbidden
        🙊 speak_no_evil_monkey speak_no_evil|face forbidden
        💌 love_letter|heart mail
        💘 heart_with_arrow cupid
        💝 heart_with_ribbon gift_heart|valentine
        💖 sparkling_heart|excited sparkle
        💗 growing_heart heartpulse|excited nervous pulse
        💓 beating_heart heartbeat|pulsating
        💞 revolving_hearts
        💕 two_hearts|love
        💟 heart_decoration
        ❣️ heart_exclamation heavy_heart_exclamation|mark punctuation
        💔 broken_heart|break
        ❤️‍🔥 heart_on_fire|burn love lust sacred_heart
        ❤️‍🩹 mending_heart|healthier improving recovering recuperating well
        ❤️ red_heart heart
        🩷 pink_heart
        🧡 orange_heart
        💛 yellow_heart
        💚 green_heart
        💙 blue_heart
        🩵 light_blue_heart
        💜 purple_heart
        🤎 brown_heart
        🖤 black_heart|evil wicked
        🩶 grey_heart
        🤍 white_heart
        💋 kiss_mark kiss|lips
        💯 hundred_points 100|full score
        💢 anger_symbol anger|angry comic mad
        💥 collision boom|comic
        💫 dizzy|comic star
        💦 sweat_droplets sweat_drops|comic splashing
        💨 dashing_away dash|comic running
        🕳️ hole
        💬 speech_balloon|bubble comic dialog
        👁️‍🗨️ eye_in_speech_bubble eye_speech_bubble|balloon witness
        🗨️ left_speech_bubble|balloon dialog
        🗯️ right_anger_bubble|angry balloon mad
        💭 thought_balloon|bubble comic
        💤 zzz|comic good_night sleep
        👋 waving_hand wave
        🤚 raised_back_of_hand|backhand
        🖐️ hand_with_fingers_splayed raised_hand_with_fingers_splayed
        ✋ raised_hand hand|high_5 high_five
        🖖 vulcan_salute|finger hand spock
        🫱 rightwards_hand
        🫲 leftwards_hand
        🫳 palm_down_hand|dismiss drop shoo
        🫴 palm_up_hand|beckon catch come offer
        🫷 leftwards_pushing_hand
        🫸 rightwards_pushing_hand
        👌 ok_hand
        🤌 pinched_fingers|hand_gesture interrogation sarcastic
        🤏 pinching_hand|small_amount
        ✌️ victory_hand v
        🤞 crossed_fingers|hand luck
        🫰 hand_with_index_finger_and_thumb_crossed|expensive heart love money snap
        🤟 love_you_gesture|hand ily
        🤘 sign_of_the_horns metal|finger hand rock_on
        🤙 call_me_hand|hang_loose shaka
        👈 backhand_index_pointing_left point_left|finger hand
        👉 backhand_index_pointing_right point_right|finger hand
        👆 backhand_index_pointing_up point_up_2|finger hand
        🖕 middle_finger|hand
        👇 backhand_index_pointing_down point_down|finger hand
        ☝️ index_pointing_up point_up|finger hand
        🫵 index_pointing_at_the_viewer|you
        👍 thumbs_up +1|1 hand
        👎 thumbs_down -1|1 hand
        ✊ raised_fist fist_raised|clenched hand punch
        👊 oncoming_fist fist_oncoming|clenched hand punch
        🤛 left_facing_fist fist_left|leftwards
        🤜 right_facing_fist fist_right|rightwards
        👏 clapping_hands clap
        🙌 raising_hands raised_hands|celebration gesture hooray
        🫶 heart_hands|love
        👐 open_hands
        🤲 palms_up_together|prayer
        🤝 handshake|agreement meeting shake
        🙏 folded_hands pray|ask high_5 high_five please thanks
        ✍️ writing_hand|write
        💅 nail_polish nail_care|cosmetics manicure
        🤳 selfie|camera phone
        💪 flexed_biceps muscle|comic
        🦾 mechanical_arm|accessibility prosthetic
        🦿 mechanical_leg|accessibility prosthetic
        🦵 leg|kick limb
        🦶 foot|kick stomp
        👂 ear|body
        🦻 ear_with_hearing_aid|accessibility hard_of_hearing
        👃 nose|body
        🧠 brain|intelligent
        🫀 anatomical_heart|cardiology organ pulse
        🫁 lungs|breath exhalation inhalation organ respiration
        🦷 tooth|dentist
        🦴 bone|skeleton
        👀 eyes|face
        👁️ eye|body
        👅 tongue|body
        👄 mouth lips
        🫦 biting_lip|anxious fear flirting nervous uncomfortable worried
        👶 baby|young
        🧒 child|gender_neutral unspecified_gender young
        👦 boy|young
        👧 girl|virgo young zodiac
        🧑 person adult|gender_neutral unspecified_gender
        👱 person_blond_hair blond_haired_person
        👨 man|adult
        🧔 person_beard bearded_person
        🧔‍♂️ man_beard
        🧔‍♀️ woman_beard
        👨‍🦰 man_red_hair red_haired_man|adult
        👨‍🦱 man_curly_hair curly_haired_man|adult
        👨‍🦳 man_white_hair white_haired_man|adult
        👨‍🦲 man_bald bald_man|adult
        👩 woman|adult
        👩‍🦰 woman_red_hair red_haired_woman|adult
        🧑‍🦰 person_red_hair|adult gender_neutral unspecified_gender
        👩‍🦱 woman_curly_hair curly_haired_woman|adult
        🧑‍🦱 person_curly_hair|adult gender_neutral unspecified_gender
        👩‍🦳 woman_white_hair white_haired_woman|adult
        🧑‍🦳 person_white_hair|adult gender_neutral unspecified_gender
        👩‍🦲 woman_bald bald_woman|adult
        🧑‍🦲 person_bald|adult gender_neutral unspecified_gender
        👱‍♀️ woman_blond_hair blond_haired_woman|blonde
        👱‍♂️ man_blond_hair blond_haired_man
        🧓 older_person older_adult|gender_neutral unspecified_gender
        👴 old_man older_man|adult
        👵 old_woman older_woman|adult
        🙍 person_frowning frowning_person|gesture
        🙍‍♂️ man_frowning frowning_man|gesture
        🙍‍♀️ woman_frowning frowning_woman|gesture
        🙎 person_pouting pouting_face|gesture
        🙎‍♂️ man_pouting pouting_man|gesture
        🙎‍♀️ woman_pouting pouting_woman|gesture
        🙅 person_gesturing_no no_good|forbidden gesture hand prohibited
        🙅‍♂️ man_gesturing_no no_good_man|forbidden gesture hand prohibited
        🙅‍♀️ woman_gesturing_no no_good_woman|forbidden gesture hand prohibited
        🙆 person_gesturing_ok ok_person|gesture hand
        🙆‍♂️ man_gesturing_ok ok_man|gesture hand
        🙆‍♀️ woman_gesturing_ok ok_woman|gesture hand
        💁 person_tipping_hand tipping_hand_person|help information sassy
        💁‍♂️ man_tipping_hand tipping_hand_man|sassy
        💁‍♀️ woman_tipping_hand tipping_hand_woman|sassy
        🙋 person_raising_hand raising_hand|gesture happy raised
        🙋‍♂️ man_raising_hand raising_hand_man|gesture
        🙋‍♀️ woman_raising_hand raising_hand_woman|gesture
        🧏 deaf_person|accessibility ear hear
        🧏‍♂️ deaf_man
        🧏‍♀️ deaf_woman
        🙇 person_bowing bow|apology gesture sorry
        🙇‍♂️ man_bowing bowing_man|apology favor gesture sorry
        🙇‍♀️ woman_bowing bowing_woman|apology favor gesture sorry
        🤦 person_facepalming facepalm|disbelief exasperation palm
        🤦‍♂️ man_facepalming|disbelief exasperation
        🤦‍♀️ woman_facepalming|disbelief exasperation
        🤷 person_shrugging shrug|doubt ignorance indifference
        🤷‍♂️ man_shrugging|doubt ignorance indifference
        🤷‍♀️ woman_shrugging|doubt ignorance indifference
        🧑‍⚕️ health_worker|doctor healthcare nurse therapist
        👨‍⚕️ man_health_worker|doctor healthcare nurse therapist
        👩‍⚕️ woman_health_worker|doctor healthcare nurse therapist
        🧑‍🎓 student|graduate
        👨‍🎓 man_student|graduate
        👩‍🎓 woman_student|graduate
        🧑‍🏫 teacher|instructor professor
        👨‍🏫 man_teacher|instructor professor
        👩‍🏫 woman_teacher|instructor professor
        🧑‍⚖️ judge|justice scales
        👨‍⚖️ man_judge|justice scales
        👩‍⚖️ woman_judge|justice scales
        🧑‍🌾 farmer|gardener rancher
        👨‍🌾 man_farmer|gardener rancher
        👩‍🌾 woman_farmer|gardener rancher
        🧑‍🍳 cook|chef
        👨‍🍳 man_cook|chef
        👩‍🍳 woman_cook|chef
        🧑‍🔧 mechanic|electrician plumber tradesperson
        👨‍🔧 man_mechanic|electrician plumber tradesperson
        👩‍🔧 woman_mechanic|electrician plumber tradesperson
        🧑‍🏭 factory_worker|assembly industrial
        👨‍🏭 man_factory_worker|assembly industrial
        👩‍🏭 woman_factory_worker|assembly industrial
        🧑‍💼 office_worker|architect business manager white_collar
        👨‍💼 man_office_worker|architect business manager white_collar
        👩‍💼 woman_office_worker|architect business manager white_collar
        🧑‍🔬 scientist|biologist chemist engineer physicist
        👨‍🔬 man_scientist|biologist chemist engineer physicist
        👩‍🔬 woman_scientist|biologist chemist engineer physicist
        🧑‍💻 technologist|coder developer inventor software
        👨‍💻 man_technologist|coder developer inventor software
        👩‍💻 woman_technologist|coder developer inventor software
        🧑‍🎤 singer|actor entertainer rock star
        👨‍🎤 man_singer|actor entertainer rock star
        👩‍🎤 woman_singer|actor entertainer rock star
        🧑‍🎨 artist|palette
        👨‍🎨 man_artist|palette
        👩‍🎨 woman_artist|palette
        🧑‍✈️ pilot|plane
        👨‍✈️ man_pilot|plane
        👩‍✈️ woman_pilot|plane
        🧑‍🚀 astronaut|rocket
        👨‍🚀 man_astronaut|rocket
        👩‍🚀 woman_astronaut|rocket
        🧑‍🚒 firefighter|firetruck
        👨‍🚒 man_firefighter|firetruck
        👩‍🚒 woman_firefighter|firetruck
        👮 police_officer|cop
        👮‍♂️ man_police_officer policeman|cop
        👮‍♀️ woman_police_officer policewoman|cop
        🕵️ detective|sleuth spy
        🕵️‍♂️ man_detective male_detective|sleuth spy
        🕵️‍♀️ woman_detective female_detective|sleuth spy
        💂 guard
        💂‍♂️ man_guard guardsman
        💂‍♀️ woman_guard guardswoman
        🥷 ninja|fighter hidden stealth
        👷 construction_worker|hat
        👷‍♂️ man_construction_worker construction_worker_man
        👷‍♀️ woman_construction_worker construction_worker_woman
        🫅 person_with_crown|monarch noble regal royalty
        🤴 prince
        👸 princess|fairy_tale fantasy
        👳 person_wearing_turban person_with_turban
        👳‍♂️ man_wearing_turban man_with_turban
        👳‍♀️ woman_wearing_turban woman_with_turban
        👲 person_with_skullcap man_with_gua_pi_mao|cap hat
        🧕 woman_with_headscarf|hijab mantilla tichel
        🤵 person_in_tuxedo|groom
        🤵‍♂️ man_in_tuxedo
        🤵‍♀️ woman_in_tuxedo
        👰 person_with_veil|bride wedding
        👰‍♂️ man_with_veil
        👰‍♀️ woman_with_veil bride_with_veil
        🤰 pregnant_woman
        🫃 pregnant_man|belly bloated full
        🫄 pregnant_person|belly bloated full
        🤱 breast_feeding|baby nursing
        👩‍🍼 woman_feeding_baby|nursing
        👨‍🍼 man_feeding_baby|nursing
        🧑‍🍼 person_feeding_baby|nursing
        👼 baby_angel angel|face fairy_tale fantasy
        🎅 santa_claus santa|celebration christmas father
        🤶 mrs_claus|celebration christmas mother
        🧑‍🎄 mx_claus|claus_christmas
        🦸 superhero|good hero heroine superpower
        🦸‍♂️ man_superhero superhero_man|good hero superpower
        🦸‍♀️ woman_superhero superhero_woman|good hero heroine superpower
        🦹 supervillain|criminal evil superpower villain
        🦹‍♂️ man_supervillain supervillain_man|criminal evil superpower villain
        🦹‍♀️ woman_supervillain supervillain_woman|criminal evil superpower villain
        🧙 mage|sorcerer sorceress witch wizard
        🧙‍♂️ man_mage mage_man|sorcerer wizard
        🧙‍♀️ woman_mage mage_woman|sorceress witch
        🧚 fairy|oberon puck titania
        🧚‍♂️ man_fairy fairy_man|oberon puck
        🧚‍♀️ woman_fairy fairy_woman|titania
        🧛 vampire|dracula undead
        🧛‍♂️ man_vampire vampire_man|dracula undead
        🧛‍♀️ woman_vampire vampire_woman|undead
        🧜 merperson|mermaid merman merwoman
        🧜‍♂️ merman|triton
        🧜‍♀️ mermaid|merwoman
        🧝 elf|magical
        🧝‍♂️ man_elf elf_man|magical
        🧝‍♀️ woman_elf elf_woman|magical
        🧞 genie|djinn
        🧞‍♂️ man_genie genie_man|djinn
        🧞‍♀️ woman_genie genie_woman|djinn
        🧟 zombie|undead walking_dead
        🧟‍♂️ man_zombie zombie_man|undead walking_dead
        🧟‍♀️ woman_zombie zombie_woman|undead walking_dead
        🧌 troll|fairy_tale fantasy monster
        💆 person_getting_massage massage|face salon
        💆‍♂️ man_getting_massage massage_man|face
        💆‍♀️ woman_getting_massage massage_woman|face
        💇 person_getting_haircut haircut|barber beauty parlor
        💇‍♂️ man_getting_haircut haircut_man
        💇‍♀️ woman_getting_haircut haircut_woman
        🚶 person_walking walking|hike
        🚶‍♂️ man_walking walking_man|hike
        🚶‍♀️ woman_walking walking_woman|hike
        🧍 person_standing standing_person
        🧍‍♂️ man_standing standing_man
        🧍‍♀️ woman_standing standing_woman
        🧎 person_kneeling kneeling_person
        🧎‍♂️ man_kneeling kneeling_man
        🧎‍♀️ woman_kneeling kneeling_woman
        🧑‍🦯 person_with_white_cane person_with_probing_cane|accessibility blind
        👨‍🦯 man_with_white_cane man_with_probing_cane|accessibility blind
        👩‍🦯 woman_with_white_cane woman_with_probing_cane|accessibility blind
        🧑‍🦼 person_in_motorized_wheelchair|accessibility
        👨‍🦼 man_in_motorized_wheelchair|accessibility
        👩‍🦼 woman_in_motorized_wheelchair|accessibility
        🧑‍🦽 person_in_manual_wheelchair|accessibility
        👨‍🦽 man_in_manual_wheelchair|accessibility
        👩‍🦽 woman_in_manual_wheelchair|accessibility
        🏃 person_running runner|marathon
        🏃‍♂️ man_running running_man|marathon racing
        🏃‍♀️ woman_running running_woman|marathon racing
        💃 woman_dancing|dance
        🕺 man_dancing|dance
        🕴️ person_in_suit_levitating business_suit_levitating
        👯 people_with_bunny_ears dancers|partying
        👯‍♂️ men_with_bunny_ears dancing_men|dancer partying
        👯‍♀️ women_with_bunny_ears dancing_women|dancer partying
        🧖 person_in_steamy_room sauna_person|steam_room
        🧖‍♂️ man_in_steamy_room sauna_man|steam_room
        🧖‍♀️ woman_in_steamy_room sauna_woman|steam_room
        🧗 person_climbing climbing|climber
        🧗‍♂️ man_climbing climbing_man|climber
        🧗‍♀️ woman_climbing climbing_woman|climber
        🤺 person_fencing|fencer sword
        🏇 horse_racing|jockey racehorse
        ⛷️ skier|snow
        🏂 snowboarder|ski
        🏌️ person_golfing golfing|ball
        🏌️‍♂️ man_golfing golfing_man
        🏌️‍♀️ woman_golfing golfing_woman
        🏄 person_surfing surfer
        🏄‍♂️ man_surfing surfing_man
        🏄‍♀️ woman_surfing surfing_woman
        🚣 person_rowing_boat rowboat
        🚣‍♂️ man_rowing_boat rowing_man|rowboat
        🚣‍♀️ woman_rowing_boat rowing_woman|rowboat
        🏊 person_swimming swimmer
        🏊‍♂️ man_swimming swimming_man
        🏊‍♀️ woman_swimming swimming_woman
        ⛹️ person_bouncing_ball bouncing_ball_person
        ⛹️‍♂️ man_bouncing_ball bouncing_ball_man
        ⛹️‍♀️ woman_bouncing_ball bouncing_ball_woman
        🏋️ person_lifting_weights weight_lifting|lifter
        🏋️‍♂️ man_lifting_weights weight_lifting_man|weight_lifter
        🏋️‍♀️ woman_lifting_weights weight_lifting_woman|weight_lifter
        🚴 person_biking bicyclist|bicycle cyclist
        🚴‍♂️ man_biking biking_man|bicycle cyclist
        🚴‍♀️ woman_biking biking_woman|bicycle cyclist
        🚵 person_mountain_biking mountain_bicyclist|bicycle bike cyclist
        🚵‍♂️ man_mountain_biking mountain_biking_man|bicycle bike cyclist
        🚵‍♀️ woman_mountain_biking mountain_biking_woman|bicycle bike cyclist
        🤸 person_cartwheeling cartwheeling|gymnastics
        🤸‍♂️ man_cartwheeling|gymnastics
        🤸‍♀️ woman_cartwheeling|gymnastics
        🤼 people_wrestling wrestling|wrestle wrestler
        🤼‍♂️ men_wrestling|wrestle
        🤼‍♀️ women_wrestling|wrestle
        🤽 person_playing_water_polo water_polo
        🤽‍♂️ man_playing_water_polo
        🤽‍♀️ woman_playing_water_polo
        🤾 person_playing_handball handball_person|ball
        🤾‍♂️ man_playing_handball
        🤾‍♀️ woman_playing_handball
        🤹 person_juggling juggling_person|balance juggle multitask skill
        🤹‍♂️ man_juggling|multitask
        🤹‍♀️ woman_juggling|multitask
        🧘 person_in_lotus_position lotus_position|meditation yoga
        🧘‍♂️ man_in_lotus_position lotus_position_man|meditation yoga
        🧘‍♀️ woman_in_lotus_position lotus_position_woman|meditation yoga
        🛀 person_taking_bath bath|bathtub
        🛌 person_in_bed sleeping_bed|good_night hotel
        🧑‍🤝‍🧑 people_holding_hands|couple person
        👭 women_holding_hands two_women_holding_hands|couple
        👫 woman_and_man_holding_hands couple
        👬 men_holding_hands two_men_holding_hands|couple gemini man twins zodiac
        💏 kiss couplekiss
        👩‍❤️‍💋‍👨 kiss_woman_man couplekiss_man_woman
        👨‍❤️‍💋‍👨 kiss_man_man couplekiss_man_man
        👩‍❤️‍💋‍👩 kiss_woman_woman couplekiss_woman_woman
        💑 couple_with_heart|love
        👩‍❤️‍👨 couple_with_heart_woman_man|love
        👨‍❤️‍👨 couple_with_heart_man_man|love
        👩‍❤️‍👩 couple_with_heart_woman_woman|love
        👪 family
        👨‍👩‍👦 family_man_woman_boy
        👨‍👩‍👧 family_man_woman_girl
        👨‍👩‍👧‍👦 family_man_woman_girl_boy
        👨‍👩‍👦‍👦 family_man_woman_boy_boy
        👨‍👩‍👧‍👧 family_man_woman_girl_girl
        👨‍👨‍👦 family_man_man_boy
        👨‍👨‍👧 family_man_man_girl
        👨‍👨‍👧‍👦 family_man_man_girl_boy
        👨‍👨‍👦‍👦 family_man_man_boy_boy
        👨‍👨‍👧‍👧 family_man_man_girl_girl
        👩‍👩‍👦 family_woman_woman_boy
        👩‍👩‍👧 family_woman_woman_girl
        👩‍👩‍👧‍👦 family_woman_woman_girl_boy
        👩‍👩‍👦‍👦 family_woman_woman_boy_boy
        👩‍👩‍👧‍👧 family_woman_woman_girl_girl
        👨‍👦 family_man_boy
        👨‍👦‍👦 family_man_boy_boy
        👨‍👧 family_man_girl
        👨‍👧‍👦 family_man_girl_boy
        👨‍👧‍👧 family_man_girl_girl
        👩‍👦 family_woman_boy
        👩‍👦‍👦 family_woman_boy_boy
        👩‍👧 family_woman_girl
        👩‍👧‍👦 family_woman_girl_boy
        👩‍👧‍👧 family_woman_girl_girl
        🗣️ speaking_head|face silhouette
        👤 bust_in_silhouette
        👥 busts_in_silhouette
        🫂 people_hugging|goodbye hello thanks
        👣 footprints|clothing print
        🐵 monkey_face
        🐒 monkey
        🦍 gorilla
        🦧 orangutan|ape
        🐶 dog_face dog|pet
        🐕 dog dog2|pet
        🦮 guide_dog|accessibility blind
        🐕‍🦺 service_dog|accessibility assistance
        🐩 poodle|dog
        🐺 wolf|face
        🦊 fox fox_face
        🦝 raccoon|curious sly
        🐱 cat_face cat|pet
        🐈 cat cat2|pet
        🐈‍⬛ black_cat|unlucky
        🦁 lion|face leo zodiac
        🐯 tiger_face tiger
        🐅 tiger tiger2
        🐆 leopard
        🐴 horse_face horse
        🫎 moose
        🫏 donkey
        🐎 horse racehorse|equestrian racing
        🦄 unicorn|face
        🦓 zebra|stripe
        🦌 deer
        🦬 bison|buffalo herd wisent
        🐮 cow_face cow
        🐂 ox|bull taurus zodiac
        🐃 water_buffalo
        🐄 cow cow2
        🐷 pig_face pig
        🐖 pig pig2|sow
        🐗 boar|pig
        🐽 pig_nose|face
        🐏 ram|aries male sheep zodiac
        🐑 ewe sheep|female
        🐐 goat|capricorn zodiac
        🐪 camel dromedary_camel|hump
        🐫 two_hump_camel camel|bactrian
        🦙 llama|alpaca guanaco vicuna wool
        🦒 giraffe|spots
        🐘 elephant
        🦣 mammoth|extinction large tusk woolly
        🦏 rhinoceros
        🦛 hippopotamus
        🐭 mouse_face mouse
        🐁 mouse mouse2
        🐀 rat
        🐹 hamster|face pet
        🐰 rabbit_face rabbit|bunny pet
        🐇 rabbit rabbit2|bunny pet
        🐿️ chipmunk|squirrel
        🦫 beaver|dam
        🦔 hedgehog|spiny
        🦇 bat|vampire
        🐻 bear|face
        🐻‍❄️ polar_bear|arctic white
        🐨 koala|face marsupial
        🐼 panda panda_face
        🦥 sloth|lazy slow
        🦦 otter|fishing playful
        🦨 skunk|stink
        🦘 kangaroo|australia joey jump marsupial
        🦡 badger|honey_badger pester
        🐾 paw_prints feet
        🦃 turkey|bird
        🐔 chicken|bird
        🐓 rooster|bird
        🐣 hatching_chick|baby bird
        🐤 baby_chick|bird
        🐥 front_facing_baby_chick hatched_chick|bird
        🐦 bird
        🐧 penguin|bird
        🕊️ dove|bird fly peace
        🦅 eagle|bird
        🦆 duck|bird
        🦢 swan|bird cygnet ugly_duckling
        🦉 owl|bird wise
        🦤 dodo|extinction large mauritius
        🪶 feather|bird flight light plumage
        🦩 flamingo|flamboyant tropical
        🦚 peacock|bird ostentatious peahen proud
        🦜 parrot|bird pirate talk
        🪽 wing
        🐦‍⬛ black_bird
        🪿 goose
        🐸 frog|face
        🐊 crocodile
        🐢 turtle|terrapin tortoise
        🦎 lizard|reptile
        🐍 snake|bearer ophiuchus serpent zodiac
        🐲 dragon_face|fairy_tale
        🐉 dragon|fairy_tale
        🦕 sauropod|brachiosaurus brontosaurus diplodocus
        🦖 t_rex t-rex|tyrannosaurus_rex
        🐳 spouting_whale whale|face
        🐋 whale whale2
        🐬 dolphin|flipper
        🦭 seal|sea_lion
        🐟 fish|pisces zodiac
        🐠 tropical_fish
        🐡 blowfish|fish
        🦈 shark|fish
        🐙 octopus
        🐚 spiral_shell shell
        🪸 coral|ocean reef
        🪼 jellyfish
        🐌 snail
        🦋 butterfly|insect pretty
        🐛 bug|insect
        🐜 ant|insect
        🐝 honeybee bee|insect
        🪲 beetle|bug insect
        🐞 lady_beetle|insect ladybird ladybug
        🦗 cricket|grasshopper
        🪳 cockroach|insect pest roach
        🕷️ spider|insect
        🕸️ spider_web
        🦂 scorpion|zodiac
        🦟 mosquito|disease fever malaria pest virus
        🪰 fly|disease maggot pest rotting
        🪱 worm|annelid earthworm parasite
        🦠 microbe|amoeba bacteria virus
        💐 bouquet|flower
        🌸 cherry_blossom|flower
        💮 white_flower
        🪷 lotus|buddhism flower hinduism india purity vietnam
        🏵️ rosette|plant
        🌹 rose|flower
        🥀 wilted_flower
        🌺 hibiscus|flower
        🌻 sunflower|flower
        🌼 blossom|flower
        🌷 tulip|flower
        🪻 hyacinth
        🌱 seedling|young
        🪴 potted_plant|boring grow house nurturing useless
        🌲 evergreen_tree
        🌳 deciduous_tree|shedding
        🌴 palm_tree
        🌵 cactus|plant
        🌾 sheaf_of_rice ear_of_rice|grain
        🌿 herb|leaf
        ☘️ shamrock|plant
        🍀 four_leaf_clover|4
        🍁 maple_leaf|falling
        🍂 fallen_leaf|falling
        🍃 leaf_fluttering_in_wind leaves|blow
        🪹 empty_nest|nesting
        🪺 nest_with_eggs|nesting
        🍄 mushroom|toadstool
        🍇 grapes|fruit
        🍈 melon|fruit
        🍉 watermelon|fruit
        🍊 tangerine|fruit orange
        🍋 lemon|citrus fruit
        🍌 banana|fruit
        🍍 pineapple|fruit
        🥭 mango|fruit tropical
        🍎 red_apple apple|fruit
        🍏 green_apple|fruit
        🍐 pear|fruit
        🍑 peach|fruit
        🍒 cherries|berries cherry fruit red
        🍓 strawberry|berry fruit
        🫐 blueberries|berry bilberry blueberry
        🥝 kiwi_fruit|food
        🍅 tomato|fruit vegetable
        🫒 olive|food
        🥥 coconut|palm pina_colada
        🥑 avocado|food fruit
        🍆 eggplant|aubergine vegetable
        🥔 potato|food vegetable
        🥕 carrot|food vegetable
        🌽 ear_of_corn corn|maize maze
        🌶️ hot_pepper
        🫑 bell_pepper|capsicum vegetable
        🥒 cucumber|food pickle vegetable
        🥬 leafy_green|bok_choy cabbage kale lettuce
        🥦 broccoli|wild_cabbage
        🧄 garlic|flavoring
        🧅 onion|flavoring
        🥜 peanuts|food nut vegetable
        🫘 beans|food kidney legume
        🌰 chestnut|plant
        🫚 ginger_root
        🫛 pea_pod
        🍞 bread|loaf
        🥐 croissant|bread breakfast food french roll
        🥖 baguette_bread|food french
        🫓 flatbread|arepa lavash naan pita
        🥨 pretzel|twisted
        🥯 bagel|bakery breakfast schmear
        🥞 pancakes|breakfast crepe food hotcake
        🧇 waffle|breakfast indecisive iron
        🧀 cheese_wedge cheese
        🍖 meat_on_bone
        🍗 poultry_leg|bone chicken drumstick
        🥩 cut_of_meat|chop lambchop porkchop steak
        🥓 bacon|breakfast food meat
        🍔 hamburger|burger
        🍟 french_fries fries
        🍕 pizza|cheese slice
        🌭 hot_dog hotdog|frankfurter sausage
        🥪 sandwich|bread
        🌮 taco|mexican
        🌯 burrito|mexican wrap
        🫔 tamale|mexican wrapped
        🥙 stuffed_flatbread|falafel food gyro kebab
        🧆 falafel|chickpea meatball
        🥚 egg|breakfast food
        🍳 cooking fried_egg|breakfast frying pan
        🥘 shallow_pan_of_food|casserole paella
        🍲 pot_of_food stew
        🫕 fondue|cheese chocolate melted pot swiss
        🥣 bowl_with_spoon|breakfast cereal congee
        🥗 green_salad|food
        🍿 popcorn
        🧈 butter|dairy
        🧂 salt|condiment shaker
        🥫 canned_food
        🍱 bento_box bento
        🍘 rice_cracker
        🍙 rice_ball|japanese
        🍚 cooked_rice rice
        🍛 curry_rice curry
        🍜 steaming_bowl ramen|noodle
        🍝 spaghetti|pasta
        🍠 roasted_sweet_potato sweet_potato
        🍢 oden|kebab seafood skewer stick
        🍣 sushi
        🍤 fried_shrimp|prawn tempura
        🍥 fish_cake_with_swirl fish_cake|pastry
        🥮 moon_cake|autumn festival yuebing
        🍡 dango|dessert japanese skewer stick sweet
        🥟 dumpling|empanada gyoza jiaozi pierogi potsticker
        🥠 fortune_cookie|prophecy
        🥡 takeout_box|oyster_pail
        🦀 crab|cancer zodiac
        🦞 lobster|bisque claws seafood
        🦐 shrimp|food shellfish small
        🦑 squid|food molusc
        🦪 oyster|diving pearl
        🍦 soft_ice_cream icecream|dessert sweet
        🍧 shaved_ice|dessert sweet
        🍨 ice_cream|dessert sweet
        🍩 doughnut|breakfast dessert donut sweet
        🍪 cookie|dessert sweet
        🎂 birthday_cake birthday|celebration dessert pastry sweet
        🍰 shortcake cake|dessert pastry slice sweet
        🧁 cupcake|bakery sweet
        🥧 pie|filling pastry
        🍫 chocolate_bar|dessert sweet
        🍬 candy|dessert sweet
        🍭 lollipop|candy dessert sweet
        🍮 custard|dessert pudding sweet
        🍯 honey_pot|honeypot sweet
        🍼 baby_bottle|drink milk
        🥛 glass_of_milk milk_glass|drink
        ☕ hot_beverage coffee|drink steaming tea
        🫖 teapot|drink pot
        🍵 teacup_without_handle tea|beverage cup drink
        🍶 sake|bar beverage bottle cup drink
        🍾 bottle_with_popping_cork champagne|bar drink
        🍷 wine_glass|bar beverage drink
        🍸 cocktail_glass cocktail|bar drink
        🍹 tropical_drink|bar
        🍺 beer_mug beer|bar drink
        🍻 clinking_beer_mugs beers|bar drink
        🥂 clinking_glasses|celebrate drink
        🥃 tumbler_glass|liquor shot whisky
        🫗 pouring_liquid|drink empty glass spill
        🥤 cup_with_straw|juice soda
        🧋 bubble_tea|milk pearl
        🧃 beverage_box|juice straw sweet
        🧉 mate|drink
        🧊 ice ice_cube|cold iceberg
        🥢 chopsticks|hashi
        🍽️ fork_and_knife_with_plate plate_with_cutlery|cooking
        🍴 fork_and_knife|cooking cutlery
        🥄 spoon|tableware
        🔪 kitchen_knife hocho|cooking tool weapon
        🫙 jar|condiment container empty sauce store
        🏺 amphora|aquarius cooking drink jug zodiac
        🌍 globe_showing_europe_africa earth_africa|world
        🌎 globe_showing_americas earth_americas|world
        🌏 globe_showing_asia_australia earth_asia|world
        🌐 globe_with_meridians|earth world
        🗺️ world_map
        🗾 map_of_japan japan
        🧭 compass|magnetic navigation orienteering
        🏔️ snow_capped_mountain mountain_snow|cold
        ⛰️ mountain
        🌋 volcano|eruption mountain
        🗻 mount_fuji|mountain
        🏕️ camping
        🏖️ beach_with_umbrella beach_umbrella
        🏜️ desert
        🏝️ desert_island
        🏞️ national_park
        🏟️ stadium
        🏛️ classical_building
        🏗️ building_construction
        🧱 brick bricks|clay mortar wall
        🪨 rock|boulder heavy solid stone
        🪵 wood|log lumber timber
        🛖 hut|house roundhouse yurt
        🏘️ houses
        🏚️ derelict_house
        🏠 house|home
        🏡 house_with_garden|home
        🏢 office_building office
        🏣 japanese_post_office post_office
        🏤 post_office european_post_office
        🏥 hospital|doctor medicine
        🏦 bank|building
        🏨 hotel|building
        🏩 love_hotel
        🏪 convenience_store
        🏫 school|building
        🏬 department_store
        🏭 factory|building
        🏯 japanese_castle
        🏰 castle european_castle
        💒 wedding|chapel romance
        🗼 tokyo_tower
        🗽 statue_of_liberty
        ⛪ church|christian cross religion
        🕌 mosque|islam muslim religion
        🛕 hindu_temple
        🕍 synagogue|jew jewish religion temple
        ⛩️ shinto_shrine|religion
        🕋 kaaba|islam muslim religion
        ⛲ fountain
        ⛺ tent|camping
        🌁 foggy
        🌃 night_with_stars
        🏙️ cityscape
        🌄 sunrise_over_mountains|morning
        🌅 sunrise|morning
        🌆 cityscape_at_dusk city_sunset|evening landscape
        🌇 sunset city_sunrise|dusk
        🌉 bridge_at_night
        ♨️ hot_springs hotsprings|steaming
        🎠 carousel_horse
        🛝 playground_slide|amusement_park
        🎡 ferris_wheel|amusement_park
        🎢 roller_coaster|amusement_park
        💈 barber_pole barber|haircut
        🎪 circus_tent
        🚂 locomotive steam_locomotive|engine railway train
        🚃 railway_car|electric train tram trolleybus
        🚄 high_speed_train bullettrain_side|railway shinkansen
        🚅 bullet_train bullettrain_front|railway shinkansen speed
        🚆 train train2|railway
        🚇 metro|subway
        🚈 light_rail|railway
        🚉 station|railway train
        🚊 tram|trolleybus
        🚝 monorail|vehicle
        🚞 mountain_railway|car
        🚋 tram_car train|trolleybus
        🚌 bus|vehicle
        🚍 oncoming_bus
        🚎 trolleybus|bus tram
        🚐 minibus|bus
        🚑 ambulance|vehicle
        🚒 fire_engine|truck
        🚓 police_car|patrol
        🚔 oncoming_police_car
        🚕 taxi|vehicle
        🚖 oncoming_taxi
        🚗 automobile car
        🚘 oncoming_automobile|car
        🚙 sport_utility_vehicle blue_car|recreational
        🛻 pickup_truck|pick_up
        🚚 delivery_truck truck
        🚛 articulated_lorry|semi truck
        🚜 tractor|vehicle
        🏎️ racing_car
        🏍️ motorcycle|racing
        🛵 motor_scooter
        🦽 manual_wheelchair|accessibility
        🦼 motorized_wheelchair|accessibility
        🛺 auto_rickshaw|tuk_tuk
        🚲 bicycle bike
        🛴 kick_scooter
        🛹 skateboard|board
        🛼 roller_skate
        🚏 bus_stop busstop
        🛣️ motorway|highway road
        🛤️ railway_track|train
        🛢️ oil_drum
        ⛽ fuel_pump fuelpump|diesel gas station
        🛞 wheel|circle tire turn
        🚨 police_car_light rotating_light|beacon revolving
        🚥 horizontal_traffic_light traffic_light|signal
        🚦 vertical_traffic_light|signal
        🛑 stop_sign|octagonal
        🚧 construction|barrier
        ⚓ anchor|ship tool
        🛟 ring_buoy|float life_preserver life_saver rescue safety
        ⛵ sailboat boat|resort sea yacht
        🛶 canoe|boat
        🚤 speedboat|boat
        🛳️ passenger_ship
        ⛴️ ferry|boat passenger
        🛥️ motor_boat|motorboat
        🚢 ship|boat passenger
        ✈️ airplane|aeroplane
        🛩️ small_airplane|aeroplane
        🛫 airplane_departure flight_departure|aeroplane check_in departures
        🛬 airplane_arrival flight_arrival|aeroplane arrivals arriving landing
        🪂 parachute|hang_glide parasail skydive
        💺 seat|chair
        🚁 helicopter|vehicle
        🚟 suspension_railway
        🚠 mountain_cableway|gondola
        🚡 aerial_tramway|cable car gondola
        🛰️ satellite artificial_satellite|space
        🚀 rocket|space
        🛸 flying_saucer|ufo
        🛎️ bellhop_bell|hotel
        🧳 luggage|packing travel
        ⌛ hourglass_done hourglass|sand timer
        ⏳ hourglass_not_done hourglass_flowing_sand|timer
        ⌚ watch|clock
        ⏰ alarm_clock
        ⏱️ stopwatch|clock
        ⏲️ timer_clock
        🕰️ mantelpiece_clock
        🕛 twelve_oclock clock12|00 12 12_00
        🕧 twelve_thirty clock1230|12 12_30
        🕐 one_oclock clock1|00 1 1_00
        🕜 one_thirty clock130|1 1_30
        🕑 two_oclock clock2|00 2 2_00
        🕝 two_thirty clock230|2 2_30
        🕒 three_oclock clock3|00 3 3_00
        🕞 three_thirty clock330|3 3_30
        🕓 four_oclock clock4|00 4 4_00
        🕟 four_thirty clock430|4 4_30
        🕔 five_oclock clock5|00 5 5_00
        🕠 five_thirty clock530|5 5_30
        🕕 six_oclock clock6|00 6 6_00
        🕡 six_thirty clock630|6 6_30
        🕖 seven_oclock clock7|00 7 7_00
        🕢 seven_thirty clock730|7 7_30
        🕗 eight_oclock clock8|00 8 8_00
        🕣 eight_thirty clock830|8 8_30
        🕘 nine_oclock clock9|00 9 9_00
        🕤 nine_thirty clock930|9 9_30
        🕙 ten_oclock clock10|00 10 10_00
        🕥 ten_thirty clock1030|10 10_30
        🕚 eleven_oclock clock11|00 11 11_00
        🕦 eleven_thirty clock1130|11 11_30
        🌑 new_moon|dark
        🌒 waxing_crescent_moon
        🌓 first_quarter_moon
        🌔 waxing_gibbous_moon moon
        🌕 full_moon
        🌖 waning_gibbous_moon
        🌗 last_quarter_moon
        🌘 waning_crescent_moon
        🌙 crescent_moon
        🌚 new_moon_face new_moon_with_face
        🌛 first_quarter_moon_face first_quarter_moon_with_face
        🌜 last_quarter_moon_face last_quarter_moon_with_face
        🌡️ thermometer|weather
        ☀️ sun sunny|bright rays
        🌝 full_moon_face full_moon_with_face|bright
        🌞 sun_with_face|bright
        🪐 ringed_planet|saturn saturnine
        ⭐ star
        🌟 glowing_star star2|glittery shining sparkle
        🌠 shooting_star stars|falling
        🌌 milky_way|space
        ☁️ cloud|weather
        ⛅ sun_behind_cloud partly_sunny
        ⛈️ cloud_with_lightning_and_rain|thunder
        🌤️ sun_behind_small_cloud
        🌥️ sun_behind_large_cloud
        🌦️ sun_behind_rain_cloud
        🌧️ cloud_with_rain
        🌨️ cloud_with_snow|cold
        🌩️ cloud_with_lightning
        🌪️ tornado|cloud whirlwind
        🌫️ fog|cloud
        🌬️ wind_face|blow cloud
        🌀 cyclone|dizzy hurricane twister typhoon
        🌈 rainbow
        🌂 closed_umbrella|clothing rain
        ☂️ umbrella open_umbrella|clothing rain
        ☔ umbrella_with_rain_drops umbrella|clothing
        ⛱️ umbrella_on_ground parasol_on_ground|rain sun
        ⚡ high_voltage zap|danger electric lightning
        ❄️ snowflake|cold
        ☃️ snowman snowman_with_snow|cold
        ⛄ snowman_without_snow snowman|cold
        ☄️ comet|space
        🔥 fire|flame tool
        💧 droplet|cold comic sweat
        🌊 water_wave ocean
        🎃 jack_o_lantern|celebration halloween
        🎄 christmas_tree|celebration
        🎆 fireworks|celebration
        🎇 sparkler|celebration fireworks
        🧨 firecracker|dynamite explosive fireworks
        ✨ sparkles|asterisk star
        🎈 balloon|celebration
        🎉 party_popper tada|celebration
        🎊 confetti_ball|celebration
        🎋 tanabata_tree|banner celebration japanese
        🎍 pine_decoration bamboo|celebration japanese
        🎎 japanese_dolls dolls|celebration festival
        🎏 carp_streamer flags|celebration
        🎐 wind_chime|bell celebration
        🎑 moon_viewing_ceremony rice_scene|celebration
        🧧 red_envelope|gift good_luck hongbao lai_see money
        🎀 ribbon|celebration
        🎁 wrapped_gift gift|box celebration present
        🎗️ reminder_ribbon|celebration
        🎟️ admission_tickets tickets
        🎫 ticket|admission
        🎖️ military_medal medal_military|celebration
        🏆 trophy|prize
        🏅 sports_medal medal_sports
        🥇 1st_place_medal|first gold
        🥈 2nd_place_medal|second silver
        🥉 3rd_place_medal|bronze third
        ⚽ soccer_ball soccer|football
        ⚾ baseball|ball
        🥎 softball|ball glove underarm
        🏀 basketball|ball hoop
        🏐 volleyball|ball game
        🏈 american_football football|ball
        🏉 rugby_football|ball
        🎾 tennis|ball racquet
        🥏 flying_disc|ultimate
        🎳 bowling|ball game
        🏏 cricket_game|ball bat
        🏑 field_hockey|ball game stick
        🏒 ice_hockey|game puck stick
        🥍 lacrosse|ball goal stick
        🏓 ping_pong|ball bat game paddle table_tennis
        🏸 badminton|birdie game racquet shuttlecock
        🥊 boxing_glove
        🥋 martial_arts_uniform|judo karate taekwondo
        🥅 goal_net
        ⛳ flag_in_hole golf
        ⛸️ ice_skate
        🎣 fishing_pole fishing_pole_and_fish
        🤿 diving_mask|scuba snorkeling
        🎽 running_shirt running_shirt_with_sash|athletics
        🎿 skis ski|snow
        🛷 sled|sledge sleigh
        🥌 curling_stone|game rock
        🎯 bullseye dart|direct_hit game hit target
        🪀 yo_yo|fluctuate toy
        🪁 kite|fly soar
        🔫 water_pistol gun|handgun revolver tool weapon
        🎱 pool_8_ball 8ball|billiard eight game
        🔮 crystal_ball|fairy_tale fantasy fortune tool
        🪄 magic_wand|witch wizard
        🎮 video_game|controller
        🕹️ joystick|game video_game
        🎰 slot_machine|game
        🎲 game_die|dice
        🧩 puzzle_piece jigsaw|clue interlocking
        🧸 teddy_bear|plaything plush stuffed toy
        🪅 pinata|celebration party
        🪩 mirror_ball|dance disco glitter party
        🪆 nesting_dolls|russia
        ♠️ spade_suit spades|card game
        ♥️ heart_suit hearts|card game
        ♦️ diamond_suit diamonds|card game
        ♣️ club_suit clubs|card game
        ♟️ chess_pawn|dupe expendable
        🃏 joker black_joker|card game wildcard
        🀄 mahjong_red_dragon mahjong|game
        🎴 flower_playing_cards|game japanese
        🎭 performing_arts|mask theater theatre
        🖼️ framed_picture|art museum painting
        🎨 artist_palette art|museum painting
        🧵 thread|needle sewing spool string
        🪡 sewing_needle|embroidery stitches sutures tailoring
        🧶 yarn|ball crochet knit
        🪢 knot|rope tangled tie twine twist
        👓 glasses eyeglasses|clothing eyewear
        🕶️ sunglasses dark_sunglasses|eye eyewear glasses
        🥽 goggles|eye_protection swimming welding
        🥼 lab_coat|doctor experiment scientist
        🦺 safety_vest|emergency
        👔 necktie|clothing tie
        👕 t_shirt shirt|clothing tshirt
        👖 jeans|clothing pants trousers
        🧣 scarf|neck
        🧤 gloves|hand
        🧥 coat|jacket
        🧦 socks|stocking
        👗 dress|clothing
        👘 kimono|clothing
        🥻 sari|clothing dress
        🩱 one_piece_swimsuit|bathing_suit
        🩲 briefs swim_brief|bathing_suit one_piece swimsuit underwear
        🩳 shorts|bathing_suit pants underwear
        👙 bikini|clothing swim
        👚 womans_clothes|clothing
        🪭 folding_hand_fan
        👛 purse|clothing coin
        👜 handbag|bag clothing purse
        👝 clutch_bag pouch|clothing
        🛍️ shopping_bags shopping|hotel
        🎒 backpack school_satchel|bag rucksack
        🩴 thong_sandal|beach_sandals sandals thong_sandals thongs zori
        👞 mans_shoe|clothing
        👟 running_shoe athletic_shoe|clothing sneaker
        🥾 hiking_boot|backpacking camping
        🥿 flat_shoe|ballet_flat slip_on slipper
        👠 high_heeled_shoe high_heel|clothing woman
        👡 womans_sandal sandal|clothing shoe
        🩰 ballet_shoes|dance
        👢 womans_boot boot|clothing shoe
        🪮 hair_pick
        👑 crown|clothing king queen
        👒 womans_hat|clothing
        🎩 top_hat tophat|clothing
        🎓 graduation_cap mortar_board|celebration clothing hat
        🧢 billed_cap|baseball_cap
        🪖 military_helmet|army soldier warrior
        ⛑️ rescue_workers_helmet rescue_worker_helmet|aid cross face hat
        📿 prayer_beads|clothing necklace religion
        💄 lipstick|cosmetics makeup
        💍 ring|diamond
        💎 gem_stone gem|diamond jewel
        🔇 muted_speaker mute|quiet silent
        🔈 speaker_low_volume speaker|soft
        🔉 speaker_medium_volume sound
        🔊 speaker_high_volume loud_sound
        📢 loudspeaker|public_address
        📣 megaphone mega|cheering
        📯 postal_horn
        🔔 bell
        🔕 bell_with_slash no_bell|forbidden mute quiet silent
        🎼 musical_score
        🎵 musical_note
        🎶 musical_notes notes
        🎙️ studio_microphone|music
        🎚️ level_slider|music
        🎛️ control_knobs|music
        🎤 microphone|karaoke
        🎧 headphone headphones|earbud
        📻 radio|video
        🎷 saxophone|instrument music
        🪗 accordion|concertina squeeze_box
        🎸 guitar|instrument music
        🎹 musical_keyboard|instrument piano
        🎺 trumpet|instrument music
        🎻 violin|instrument music
        🪕 banjo|music stringed
        🥁 drum|drumsticks music
        🪘 long_drum|beat conga rhythm
        🪇 maracas
        🪈 flute
        📱 mobile_phone iphone|cell telephone
        📲 mobile_phone_with_arrow calling|cell receive
        ☎️ telephone phone
        📞 telephone_receiver|phone
        📟 pager
        📠 fax_machine fax
        🔋 battery
        🪫 low_battery|electronic low_energy
        🔌 electric_plug|electricity
        💻 laptop computer|pc personal
        🖥️ desktop_computer
        🖨️ printer|computer
        ⌨️ keyboard|computer
        🖱️ computer_mouse
        🖲️ trackball|computer
        💽 computer_disk minidisc|minidisk optical
        💾 floppy_disk|computer
        💿 optical_disk cd|computer
        📀 dvd|blu_ray computer disk optical
        🧮 abacus|calculation
        🎥 movie_camera|cinema
        🎞️ film_frames film_strip|cinema movie
        📽️ film_projector|cinema movie video
        🎬 clapper_board clapper|movie
        📺 television tv|video
        📷 camera|video
        📸 camera_with_flash camera_flash|video
        📹 video_camera
        📼 videocassette vhs|tape
        🔍 magnifying_glass_tilted_left mag|search tool
        🔎 magnifying_glass_tilted_right mag_right|search tool
        🕯️ candle|light
        💡 light_bulb bulb|comic electric idea
        🔦 flashlight|electric light tool torch
        🏮 red_paper_lantern izakaya_lantern|bar light
        🪔 diya_lamp|oil
        📔 notebook_with_decorative_cover|book decorated
        📕 closed_book
        📖 open_book book
        📗 green_book
        📘 blue_book
        📙 orange_book
        📚 books
        📓 notebook
        📒 ledger|notebook
        📃 page_with_curl|document
        📜 scroll|paper
        📄 page_facing_up|document
        📰 newspaper|paper
        🗞️ rolled_up_newspaper newspaper_roll|paper
        📑 bookmark_tabs|mark marker
        🔖 bookmark|mark
        🏷️ label
        💰 money_bag moneybag|dollar
        🪙 coin|gold metal money silver treasure
        💴 yen_banknote yen|bill currency money note
        💵 dollar_banknote dollar|bill currency money note
        💶 euro_banknote euro|bill currency money note
        💷 pound_banknote pound|bill currency money note
        💸 money_with_wings|banknote bill fly
        💳 credit_card|money
        🧾 receipt|accounting bookkeeping evidence proof
        💹 chart_increasing_with_yen chart|graph growth money
        ✉️ envelope email|letter
        📧 e_mail e-mail|email letter
        📨 incoming_envelope|e_mail email letter receive
        📩 envelope_with_arrow|e_mail email outgoing
        📤 outbox_tray|box letter mail sent
        📥 inbox_tray|box letter mail receive
        📦 package|box parcel
        📫 closed_mailbox_with_raised_flag mailbox|postbox
        📪 closed_mailbox_with_lowered_flag mailbox_closed|postbox
        📬 open_mailbox_with_raised_flag mailbox_with_mail|postbox
        📭 open_mailbox_with_lowered_flag mailbox_with_no_mail|postbox
        📮 postbox|mail mailbox
        🗳️ ballot_box_with_ballot ballot_box
        ✏️ pencil pencil2
        ✒️ black_nib|pen
        🖋️ fountain_pen
        🖊️ pen|ballpoint
        🖌️ paintbrush|painting
        🖍️ crayon
        📝 memo|pencil
        💼 briefcase
        📁 file_folder
        📂 open_file_folder
        🗂️ card_index_dividers
        📅 calendar date
        📆 tear_off_calendar calendar
        🗒️ spiral_notepad|pad
        🗓️ spiral_calendar|pad
        📇 card_index|rolodex
        📈 chart_increasing chart_with_upwards_trend|graph growth
        📉 chart_decreasing chart_with_downwards_trend|graph
        📊 bar_chart|graph
        📋 clipboard
        📌 pushpin|pin
        📍 round_pushpin|pin
        📎 paperclip
        🖇️ linked_paperclips paperclips
        📏 straight_ruler|straight_edge
        📐 triangular_ruler|set triangle
        ✂️ scissors|cutting tool
        🗃️ card_file_box
        🗄️ file_cabinet|filing
        🗑️ wastebasket
        🔒 locked lock|closed
        🔓 unlocked unlock|lock open
        🔏 locked_with_pen lock_with_ink_pen|nib privacy
        🔐 locked_with_key closed_lock_with_key|secure
        🔑 key|lock password
        🗝️ old_key|clue lock
        🔨 hammer|tool
        🪓 axe|chop hatchet split wood
        ⛏️ pick|mining tool
        ⚒️ hammer_and_pick|tool
        🛠️ hammer_and_wrench|spanner tool
        🗡️ dagger|knife weapon
        ⚔️ crossed_swords|weapon
        💣 bomb|comic
        🪃 boomerang|australia rebound repercussion
        🏹 bow_and_arrow|archer sagittarius zodiac
        🛡️ shield|weapon
        🪚 carpentry_saw|carpenter lumber tool
        🔧 wrench|spanner tool
        🪛 screwdriver|tool
        🔩 nut_and_bolt|tool
        ⚙️ gear|cog cogwheel tool
        🗜️ clamp|compress tool vice
        ⚖️ balance_scale|justice libra zodiac
        🦯 white_cane probing_cane|accessibility blind
        🔗 link
        ⛓️ chains
        🪝 hook|catch crook curve ensnare selling_point
        🧰 toolbox|chest mechanic
        🧲 magnet|attraction horseshoe magnetic
        🪜 ladder|climb rung step
        ⚗️ alembic|chemistry tool
        🧪 test_tube|chemist chemistry experiment lab science
        🧫 petri_dish|bacteria biologist biology culture lab
        🧬 dna|biologist evolution gene genetics life
        🔬 microscope|science tool
        🔭 telescope|science tool
        📡 satellite_antenna satellite|dish
        💉 syringe|medicine needle shot sick
        🩸 drop_of_blood|bleed blood_donation injury medicine menstruation
        💊 pill|doctor medicine sick
        🩹 adhesive_bandage
        🩼 crutch|cane disability hurt mobility_aid stick
        🩺 stethoscope|doctor heart medicine
        🩻 x_ray|bones doctor medical skeleton
        🚪 door
        🛗 elevator|accessibility hoist lift
        🪞 mirror|reflection reflector speculum
        🪟 window|frame fresh_air opening transparent view
        🛏️ bed|hotel sleep
        🛋️ couch_and_lamp|hotel
        🪑 chair|seat sit
        🚽 toilet
        🪠 plunger|force_cup plumber suction toilet
        🚿 shower|water
        🛁 bathtub
        🪤 mouse_trap|bait mousetrap snare
        🪒 razor|sharp shave
        🧴 lotion_bottle|moisturizer shampoo sunscreen
        🧷 safety_pin|diaper punk_rock
        🧹 broom|cleaning sweeping witch
        🧺 basket|farming laundry picnic
        🧻 roll_of_paper|paper_towels toilet_paper
        🪣 bucket|cask pail vat
        🧼 soap|bar bathing cleaning lather soapdish
        🫧 bubbles|burp clean soap underwater
        🪥 toothbrush|bathroom brush clean dental hygiene teeth
        🧽 sponge|absorbing cleaning porous
        🧯 fire_extinguisher|quench
        🛒 shopping_cart|trolley
        🚬 cigarette smoking
        ⚰️ coffin|death
        🪦 headstone|cemetery grave graveyard tombstone
        ⚱️ funeral_urn|ashes death
        🧿 nazar_amulet|bead charm evil_eye talisman
        🪬 hamsa|amulet fatima hand mary miriam protection
        🗿 moai moyai|face statue
        🪧 placard|demonstration picket protest sign
        🪪 identification_card|credentials license security
        🏧 atm_sign atm|automated bank teller
        🚮 litter_in_bin_sign put_litter_in_its_place|litter_bin
        🚰 potable_water|drinking
        ♿ wheelchair_symbol wheelchair|access
        🚹 mens_room mens|bathroom lavatory man restroom toilet wc
        🚺 womens_room womens|bathroom lavatory restroom toilet wc woman
        🚻 restroom|bathroom lavatory toilet wc
        🚼 baby_symbol|changing
        🚾 water_closet wc|bathroom lavatory restroom toilet
        🛂 passport_control
        🛃 customs
        🛄 baggage_claim
        🛅 left_luggage|baggage locker
        ⚠️ warning
        🚸 children_crossing|pedestrian traffic
        ⛔ no_entry|forbidden not prohibited traffic
        🚫 prohibited no_entry_sign|forbidden not
        🚳 no_bicycles|bike forbidden prohibited
        🚭 no_smoking|forbidden not prohibited
        🚯 no_littering do_not_litter|forbidden prohibited
        🚱 non_potable_water non-potable_water|non_drinking
        🚷 no_pedestrians|forbidden not prohibited
        📵 no_mobile_phones|cell forbidden
        🔞 no_one_under_eighteen underage|18 age_restriction prohibited
        ☢️ radioactive|sign
        ☣️ biohazard|sign
        ⬆️ up_arrow arrow_up|cardinal direction north
        ↗️ up_right_arrow arrow_upper_right|direction intercardinal northeast
        ➡️ right_arrow arrow_right|cardinal direction east
        ↘️ down_right_arrow arrow_lower_right|direction intercardinal southeast
        ⬇️ down_arrow arrow_down|cardinal direction south
        ↙️ down_left_arrow arrow_lower_left|direction intercardinal southwest
        ⬅️ left_arrow arrow_left|cardinal direction west
        ↖️ up_left_arrow arrow_upper_left|direction intercardinal northwest
        ↕️ up_down_arrow arrow_up_down
        ↔️ left_right_arrow
        ↩️ right_arrow_curving_left leftwards_arrow_with_hook
        ↪️ left_arrow_curving_right arrow_right_hook
        ⤴️ right_arrow_curving_up arrow_heading_up
        ⤵️ right_arrow_curving_down arrow_heading_down
        🔃 clockwise_vertical_arrows arrows_clockwise|reload
        🔄 counterclockwise_arrows_button arrows_counterclockwise|anticlockwise withershins
        🔙 back_arrow back
        🔚 end_arrow end
        🔛 on_arrow on|mark
        🔜 soon_arrow soon
        🔝 top_arrow top|up
        🛐 place_of_worship|religion
        ⚛️ atom_symbol|atheist
        🕉️ om|hindu religion
        ✡️ star_of_david|jew jewish religion
        ☸️ wheel_of_dharma|buddhist religion
        ☯️ yin_yang|religion tao taoist
        ✝️ latin_cross|christian religion
        ☦️ orthodox_cross|christian religion
        ☪️ star_and_crescent|islam muslim religion
        ☮️ peace_symbol
        🕎 menorah|candelabrum candlestick religion
        🔯 dotted_six_pointed_star six_pointed_star|fortune
        🪯 khanda
        ♈ aries|ram zodiac
        ♉ taurus|bull ox zodiac
        ♊ gemini|twins zodiac
        ♋ cancer|crab zodiac
        ♌ leo|lion zodiac
        ♍ virgo|zodiac
        ♎ libra|balance justice scales zodiac
        ♏ scorpio scorpius|scorpion zodiac
        ♐ sagittarius|archer zodiac
        ♑ capricorn|goat zodiac
        ♒ aquarius|bearer water zodiac
        ♓ pisces|fish zodiac
        ⛎ ophiuchus|bearer serpent snake zodiac
        🔀 shuffle_tracks_button twisted_rightwards_arrows|crossed
        🔁 repeat_button repeat|arrow clockwise
        🔂 repeat_single_button repeat_one|arrow clockwise once
        ▶️ play_button arrow_forward|right triangle
        ⏩ fast_forward_button fast_forward|arrow double
        ⏭️ next_track_button|arrow next_scene triangle
        ⏯️ play_or_pause_button|arrow right triangle
        ◀️ reverse_button arrow_backward|left triangle
        ⏪ fast_reverse_button rewind|arrow double
        ⏮️ last_track_button previous_track_button|arrow previous_scene triangle
        🔼 upwards_button arrow_up_small|red
        ⏫ fast_up_button arrow_double_up
        🔽 downwards_button arrow_down_small|red
        ⏬ fast_down_button arrow_double_down
        ⏸️ pause_button|bar double vertical
        ⏹️ stop_button|square
        ⏺️ record_button|circle
        ⏏️ eject_button
        🎦 cinema|camera film movie
        🔅 dim_button low_brightness
        🔆 bright_button high_brightness
        📶 antenna_bars signal_strength|cell mobile phone
        🛜 wireless
        📳 vibration_mode|cell mobile phone telephone
        📴 mobile_phone_off|cell telephone
        ♀️ female_sign|woman
        ♂️ male_sign|man
        ⚧️ transgender_symbol
        ✖️ multiply heavy_multiplication_x|cancel sign
        ➕ plus heavy_plus_sign|math
        ➖ minus heavy_minus_sign|math
        ➗ divide heavy_division_sign|math
        🟰 heavy_equals_sign|equality math
        ♾️ infinity|forever unbounded universal
        ‼️ double_exclamation_mark bangbang
        ⁉️ exclamation_question_mark interrobang|punctuation
        ❓ red_question_mark question|punctuation
        ❔ white_question_mark grey_question|outlined punctuation
        ❕ white_exclamation_mark grey_exclamation|outlined punctuation
        ❗ red_exclamation_mark exclamation|punctuation
        〰️ wavy_dash|punctuation
        💱 currency_exchange|bank money
        💲 heavy_dollar_sign|currency money
        ⚕️ medical_symbol|aesculapius medicine staff
        ♻️ recycling_symbol recycle
        ⚜️ fleur_de_lis
        🔱 trident_emblem trident|anchor ship tool
        📛 name_badge
        🔰 japanese_symbol_for_beginner beginner|chevron leaf
        ⭕ hollow_red_circle o|large
        ✅ check_mark_button white_check_mark
        ☑️ check_box_with_check ballot_box_with_check
        ✔️ check_mark heavy_check_mark
        ❌ cross_mark x|cancel multiplication multiply
        ❎ cross_mark_button negative_squared_cross_mark|x
        ➰ curly_loop
        ➿ double_curly_loop loop
        〽️ part_alternation_mark
        ✳️ eight_spoked_asterisk
        ✴️ eight_pointed_star eight_pointed_black_star|asterisk
        ❇️ sparkle|asterisk
        ©️ copyright
        ®️ registered
        ™️ trade_mark tm|trademark
        #️⃣ keycap_hash hash
        *️⃣ keycap_asterisk asterisk
        0️⃣ keycap_0 zero
        1️⃣ keycap_1 one
        2️⃣ keycap_2 two
        3️⃣ keycap_3 three
        4️⃣ keycap_4 four
        5️⃣ keycap_5 five
        6️⃣ keycap_6 six
        7️⃣ keycap_7 seven
        8️⃣ keycap_8 eight
        9️⃣ keycap_9 nine
        🔟 keycap_10 keycap_ten
        🔠 input_latin_uppercase capital_abcd|letters
        🔡 input_latin_lowercase abcd|letters
        🔢 input_numbers 1234
        🔣 input_symbols symbols|and
        🔤 input_latin_letters abc|alphabet
        🅰️ a_button_blood_type a
        🆎 ab_button_blood_type ab
        🅱️ b_button_blood_type b
        🆑 cl_button cl
        🆒 cool_button cool
        🆓 free_button free
        ℹ️ information information_source
        🆔 id_button id|identity
        Ⓜ️ circled_m m
        🆕 new_button new
        🆖 ng_button ng
        🅾️ o_button_blood_type o2
        🆗 ok_button ok
        🅿️ p_button parking
        🆘 sos_button sos|help
        🆙 up_button up|mark
        🆚 vs_button vs|versus
        🈁 japanese_here_button koko|katakana
        🈂️ japanese_service_charge_button sa|katakana
        🈷️ japanese_monthly_amount_button u6708|ideograph
        🈶 japanese_not_free_of_charge_button u6709|ideograph
        🈯 japanese_reserved_button u6307|ideograph
        🉐 japanese_bargain_button ideograph_advantage
        🈹 japanese_discount_button u5272|ideograph
        🈚 japanese_free_of_charge_button u7121|ideograph
        🈲 japanese_prohibited_button u7981|ideograph
        🉑 japanese_acceptable_button accept|ideograph
        🈸 japanese_application_button u7533|ideograph
        🈴 japanese_passing_grade_button u5408|ideograph
        🈳 japanese_vacancy_button u7a7a|ideograph
        ㊗️ japanese_congratulations_button congratulations|ideograph
        ㊙️ japanese_secret_button secret|ideograph
        🈺 japanese_open_for_business_button u55b6|ideograph
        🈵 japanese_no_vacancy_button u6e80|ideograph
        🔴 red_circle|geometric
        🟠 orange_circle
        🟡 yellow_circle
        🟢 green_circle
        🔵 blue_circle large_blue_circle|geometric
        🟣 purple_circle
        🟤 brown_circle
        ⚫ black_circle|geometric
        ⚪ white_circle|geometric
        🟥 red_square
        🟧 orange_square
        🟨 yellow_square
        🟩 green_square
        🟦 blue_square
        🟪 purple_square
        🟫 brown_square
        ⬛ black_large_square|geometric
        ⬜ white_large_square|geometric
        ◼️ black_medium_square|geometric
        ◻️ white_medium_square|geometric
        ◾ black_medium_small_square|geometric
        ◽ white_medium_small_square|geometric
        ▪️ black_small_square|geometric
        ▫️ white_small_square|geometric
        🔶 large_orange_diamond|geometric
        🔷 large_blue_diamond|geometric
        🔸 small_orange_diamond|geometric
        🔹 small_blue_diamond|geometric
        🔺 red_triangle_pointed_up small_red_triangle|geometric
        🔻 red_triangle_pointed_down small_red_triangle_down|geometric
        💠 diamond_with_a_dot diamond_shape_with_a_dot_inside|comic geometric
        🔘 radio_button|geometric
        🔳 white_square_button|geometric outlined
        🔲 black_square_button|geometric
        🏁 chequered_flag checkered_flag|racing
        🚩 triangular_flag triangular_flag_on_post
        🎌 crossed_flags|celebration japanese
        🏴 black_flag|waving
        🏳️ white_flag|waving
        🏳️‍🌈 rainbow_flag|pride
        🏳️‍⚧️ transgender_flag|light_blue pink white
        🏴‍☠️ pirate_flag|jolly_roger plunder treasure
        🇦🇨 flag_ascension_island ascension_island
        🇦🇩 flag_andorra andorra
        🇦🇪 flag_united_arab_emirates united_arab_emirates
        🇦🇫 flag_afghanistan afghanistan
        🇦🇬 flag_antigua_and_barbuda antigua_barbuda
        🇦🇮 flag_anguilla anguilla
        🇦🇱 flag_albania albania
        🇦🇲 flag_armenia armenia
        🇦🇴 flag_angola angola
        🇦🇶 flag_antarctica antarctica
        🇦🇷 flag_argentina argentina
        🇦🇸 flag_american_samoa american_samoa
        🇦🇹 flag_austria austria
        🇦🇺 flag_australia australia
        🇦🇼 flag_aruba aruba
        🇦🇽 flag_aland_islands aland_islands
        🇦🇿 flag_azerbaijan azerbaijan
        🇧🇦 flag_bosnia_and_herzegovina bosnia_herzegovina
        🇧🇧 flag_barbados barbados
        🇧🇩 flag_bangladesh bangladesh
        🇧🇪 flag_belgium belgium
        🇧🇫 flag_burkina_faso burkina_faso
        🇧🇬 flag_bulgaria bulgaria
        🇧🇭 flag_bahrain bahrain
        🇧🇮 flag_burundi burundi
        🇧🇯 flag_benin benin
        🇧🇱 flag_st_barthelemy st_barthelemy
        🇧🇲 flag_bermuda bermuda
        🇧🇳 flag_brunei brunei
        🇧🇴 flag_bolivia bolivia
        🇧🇶 flag_caribbean_netherlands caribbean_netherlands
        🇧🇷 flag_brazil brazil
        🇧🇸 flag_bahamas bahamas
        🇧🇹 flag_bhutan bhutan
        🇧🇻 flag_bouvet_island bouvet_island
        🇧🇼 flag_botswana botswana
        🇧🇾 flag_belarus belarus
        🇧🇿 flag_belize belize
        🇨🇦 flag_canada canada
        🇨🇨 flag_cocos_keeling_islands cocos_islands
        🇨🇩 flag_congo_kinshasa congo_kinshasa
        🇨🇫 flag_central_african_republic central_african_republic
        🇨🇬 flag_congo_brazzaville congo_brazzaville
        🇨🇭 flag_switzerland switzerland
        🇨🇮 flag_cote_divoire cote_divoire
        🇨🇰 flag_cook_islands cook_islands
        🇨🇱 flag_chile chile
        🇨🇲 flag_cameroon cameroon
        🇨🇳 flag_china cn
        🇨🇴 flag_colombia colombia
        🇨🇵 flag_clipperton_island clipperton_island
        🇨🇷 flag_costa_rica costa_rica
        🇨🇺 flag_cuba cuba
        🇨🇻 flag_cape_verde cape_verde
        🇨🇼 flag_curacao curacao
        🇨🇽 flag_christmas_island christmas_island
        🇨🇾 flag_cyprus cyprus
        🇨🇿 flag_czechia czech_republic
        🇩🇪 flag_germany de
        🇩🇬 flag_diego_garcia diego_garcia
        🇩🇯 flag_djibouti djibouti
        🇩🇰 flag_denmark denmark
        🇩🇲 flag_dominica dominica
        🇩🇴 flag_dominican_republic dominican_republic
        🇩🇿 flag_algeria algeria
        🇪🇦 flag_ceuta_and_melilla ceuta_melilla
        🇪🇨 flag_ecuador ecuador
        🇪🇪 flag_estonia estonia
        🇪🇬 flag_egypt egypt
        🇪🇭 flag_western_sahara western_sahara
        🇪🇷 flag_eritrea eritrea
        🇪🇸 flag_spain es
        🇪🇹 flag_ethiopia ethiopia
        🇪🇺 flag_european_union eu
        🇫🇮 flag_finland finland
        🇫🇯 flag_fiji fiji
        🇫🇰 flag_falkland_islands falkland_islands
        🇫🇲 flag_micronesia micronesia
        🇫🇴 flag_faroe_islands faroe_islands
        🇫🇷 flag_france fr
        🇬🇦 flag_gabon gabon
        🇬🇧 flag_united_kingdom gb
        🇬🇩 flag_grenada grenada
        🇬🇪 flag_georgia georgia
        🇬🇫 flag_french_guiana french_guiana
        🇬🇬 flag_guernsey guernsey
        🇬🇭 flag_ghana ghana
        🇬🇮 flag_gibraltar gibraltar
        🇬🇱 flag_greenland greenland
        🇬🇲 flag_gambia gambia
        🇬🇳 flag_guinea guinea
        🇬🇵 flag_guadeloupe guadeloupe
        🇬🇶 flag_equatorial_guinea equatorial_guinea
        🇬🇷 flag_greece greece
        🇬🇸 flag_south_georgia_and_south_sandwich_islands south_georgia_south_sandwich_islands
        🇬🇹 flag_guatemala guatemala
        🇬🇺 flag_guam guam
        🇬🇼 flag_guinea_bissau guinea_bissau
        🇬🇾 flag_guyana guyana
        🇭🇰 flag_hong_kong_sar_china hong_kong
        🇭🇲 flag_heard_and_mcdonald_islands heard_mcdonald_islands
        🇭🇳 flag_honduras honduras
        🇭🇷 flag_croatia croatia
        🇭🇹 flag_haiti haiti
        🇭🇺 flag_hungary hungary
        🇮🇨 flag_canary_islands canary_islands
        🇮🇩 flag_indonesia indonesia
        🇮🇪 flag_ireland ireland
        🇮🇱 flag_israel israel
        🇮🇲 flag_isle_of_man isle_of_man
        🇮🇳 flag_india india
        🇮🇴 flag_british_indian_ocean_territory british_indian_ocean_territory
        🇮🇶 flag_iraq iraq
        🇮🇷 flag_iran iran
        🇮🇸 flag_iceland iceland
        🇮🇹 flag_italy it
        🇯🇪 flag_jersey jersey
        🇯🇲 flag_jamaica jamaica
        🇯🇴 flag_jordan jordan
        🇯🇵 flag_japan jp
        🇰🇪 flag_kenya kenya
        🇰🇬 flag_kyrgyzstan kyrgyzstan
        🇰🇭 flag_cambodia cambodia
        🇰🇮 flag_kiribati kiribati
        🇰🇲 flag_comoros comoros
        🇰🇳 flag_st_kitts_and_nevis st_kitts_nevis
        🇰🇵 flag_north_korea north_korea
        🇰🇷 flag_south_korea kr
        🇰🇼 flag_kuwait kuwait
        🇰🇾 flag_cayman_islands cayman_islands
        🇰🇿 flag_kazakhstan kazakhstan
        🇱🇦 flag_laos laos
        🇱🇧 flag_lebanon lebanon
        🇱🇨 flag_st_lucia st_lucia
        🇱🇮 flag_liechtenstein liechtenstein
        🇱🇰 flag_sri_lanka sri_lanka
        🇱🇷 flag_liberia liberia
        🇱🇸 flag_lesotho lesotho
        🇱🇹 flag_lithuania lithuania
        🇱🇺 flag_luxembourg luxembourg
        🇱🇻 flag_latvia latvia
        🇱🇾 flag_libya libya
        🇲🇦 flag_morocco morocco
        🇲🇨 flag_monaco monaco
        🇲🇩 flag_moldova moldova
        🇲🇪 flag_montenegro montenegro
        🇲🇫 flag_st_martin st_martin
        🇲🇬 flag_madagascar madagascar
        🇲🇭 flag_marshall_islands marshall_islands
        🇲🇰 flag_north_macedonia macedonia
        🇲🇱 flag_mali mali
        🇲🇲 flag_myanmar_burma myanmar
        🇲🇳 flag_mongolia mongolia
        🇲🇴 flag_macao_sar_china macau
        🇲🇵 flag_northern_mariana_islands northern_mariana_islands
        🇲🇶 flag_martinique martinique
        🇲🇷 flag_mauritania mauritania
        🇲🇸 flag_montserrat montserrat
        🇲🇹 flag_malta malta
        🇲🇺 flag_mauritius mauritius
        🇲🇻 flag_maldives maldives
        🇲🇼 flag_malawi malawi
        🇲🇽 flag_mexico mexico
        🇲🇾 flag_malaysia malaysia
        🇲🇿 flag_mozambique mozambique
        🇳🇦 flag_namibia namibia
        🇳🇨 flag_new_caledonia new_caledonia
        🇳🇪 flag_niger niger
        🇳🇫 flag_norfolk_island norfolk_island
        🇳🇬 flag_nigeria nigeria
        🇳🇮 flag_nicaragua nicaragua
        🇳🇱 flag_netherlands netherlands
        🇳🇴 flag_norway norway
        🇳🇵 flag_nepal nepal
        🇳🇷 flag_nauru nauru
        🇳🇺 flag_niue niue
        🇳🇿 flag_new_zealand new_zealand
        🇴🇲 flag_oman oman
        🇵🇦 flag_panama panama
        🇵🇪 flag_peru peru
        🇵🇫 flag_french_polynesia french_polynesia
        🇵🇬 flag_papua_new_guinea papua_new_guinea
        🇵🇭 flag_philippines philippines
        🇵🇰 flag_pakistan pakistan
        🇵🇱 flag_poland poland
        🇵🇲 flag_st_pierre_and_miquelon st_pierre_miquelon
        🇵🇳 flag_pitcairn_islands pitcairn_islands
        🇵🇷 flag_puerto_rico puerto_rico
        🇵🇸 flag_palestinian_territories palestinian_territories
        🇵🇹 flag_portugal portugal
        🇵🇼 flag_palau palau
        🇵🇾 flag_paraguay paraguay
        🇶🇦 flag_qatar qatar
        🇷🇪 flag_reunion reunion
        🇷🇴 flag_romania romania
        🇷🇸 flag_serbia serbia
        🇷🇺 flag_russia ru
        🇷🇼 flag_rwanda rwanda
        🇸🇦 flag_saudi_arabia saudi_arabia
        🇸🇧 flag_solomon_islands solomon_islands
        🇸🇨 flag_seychelles seychelles
        🇸🇩 flag_sudan sudan
        🇸🇪 flag_sweden sweden
        🇸🇬 flag_singapore singapore
        🇸🇭 flag_st_helena st_helena
        🇸🇮 flag_slovenia slovenia
        🇸🇯 flag_svalbard_and_jan_mayen svalbard_jan_mayen
        🇸🇰 flag_slovakia slovakia
        🇸🇱 flag_sierra_leone sierra_leone
        🇸🇲 flag_san_marino san_marino
        🇸🇳 flag_senegal senegal
        🇸🇴 flag_somalia somalia
        🇸🇷 flag_suriname suriname
        🇸🇸 flag_south_sudan south_sudan
        🇸🇹 flag_sao_tome_and_principe sao_tome_principe
        🇸🇻 flag_el_salvador el_salvador
        🇸🇽 flag_sint_maarten sint_maarten
        🇸🇾 flag_syria syria
        🇸🇿 flag_eswatini swaziland
        🇹🇦 flag_tristan_da_cunha tristan_da_cunha
        🇹🇨 flag_turks_and_caicos_islands turks_caicos_islands
        🇹🇩 flag_chad chad
        🇹🇫 flag_french_southern_territories french_southern_territories
        🇹🇬 flag_togo togo
        🇹🇭 flag_thailand thailand
        🇹🇯 flag_tajikistan tajikistan
        🇹🇰 flag_tokelau tokelau
        🇹🇱 flag_timor_leste timor_leste
        🇹🇲 flag_turkmenistan turkmenistan
        🇹🇳 flag_tunisia tunisia
        🇹🇴 flag_tonga tonga
        🇹🇷 flag_turkey tr
        🇹🇹 flag_trinidad_and_tobago trinidad_tobago
        🇹🇻 flag_tuvalu tuvalu
        🇹🇼 flag_taiwan taiwan
        🇹🇿 flag_tanzania tanzania
        🇺🇦 flag_ukraine ukraine
        🇺🇬 flag_uganda uganda
        🇺🇲 flag_u_s_outlying_islands us_outlying_islands
        🇺🇳 flag_united_nations united_nations
        🇺🇸 flag_united_states us
        🇺🇾 flag_uruguay uruguay
        🇺🇿 flag_uzbekistan uzbekistan
        🇻🇦 flag_vatican_city vatican_city
        🇻🇨 flag_st_vincent_and_grenadines st_vincent_grenadines
        🇻🇪 flag_venezuela venezuela
        🇻🇬 flag_british_virgin_islands british_virgin_islands
        🇻🇮 flag_u_s_virgin_islands us_virgin_islands
        🇻🇳 flag_vietnam vietnam
        🇻🇺 flag_vanuatu vanuatu
        🇼🇫 flag_wallis_and_futuna wallis_futuna
        🇼🇸 flag_samoa samoa
        🇽🇰 flag_kosovo kosovo
        🇾🇪 flag_yemen yemen
        🇾🇹 flag_mayotte mayotte
        🇿🇦 flag_south_africa south_africa
        🇿🇲 flag_zambia zambia
        🇿🇼 flag_zimbabwe zimbabwe
        🏴󠁧󠁢󠁥󠁮󠁧󠁿 flag_england england
        🏴󠁧󠁢󠁳󠁣󠁴󠁿 flag_scotland scotland
        🏴󠁧󠁢󠁷󠁬󠁳󠁿 flag_wales wales
        """
}

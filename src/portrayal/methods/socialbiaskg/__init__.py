"""SocialBiasKG: relations between occupations and groups of people, as people see them and as models draw them."""

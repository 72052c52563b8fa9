from django.apps import AppConfig


class SkillsAppConfig(AppConfig):
    name = "skills"
